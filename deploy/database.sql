-- One server, three databases: the manager's was made with the server; the identity provider and the drive have their own.
CREATE DATABASE keycloak;
CREATE DATABASE nextcloud;
