-- One server, and for each program a user and a database of its own: nobody reads, writes or even opens another's.
-- Run once by psql, as the server's own user, when the server is made. A password is read from its file here, so that it is in no argument.

SET log_min_error_statement = 'panic';
SET log_statement = 'none';
\set manager_password `cat "${SECRETS:-/run/secrets}/manager_database_password"`
\set identity_provider_password `cat "${SECRETS:-/run/secrets}/identity_provider_database_password"`
\set drive_password `cat "${SECRETS:-/run/secrets}/drive_database_password"`
SELECT '' IN (:'manager_password', :'identity_provider_password', :'drive_password') AS is_missing \gset
\if :is_missing
SELECT 'a password is missing or empty: run make-secrets.sh'::integer;
\endif

CREATE ROLE manager LOGIN PASSWORD :'manager_password';
CREATE ROLE keycloak LOGIN PASSWORD :'identity_provider_password';
CREATE ROLE nextcloud LOGIN PASSWORD :'drive_password';

-- The manager's holds its records, its cache and its queue.
CREATE DATABASE manager OWNER manager;
CREATE DATABASE keycloak OWNER keycloak;
CREATE DATABASE nextcloud OWNER nextcloud;

-- Else everybody who has any account of the server may open every database.
REVOKE ALL ON DATABASE manager, keycloak, nextcloud, postgres, template1 FROM PUBLIC;
