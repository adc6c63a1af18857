#!/bin/sh
# Make the files under secrets/ that are missing; leave those that are there. Run it in the folder of compose.yaml.
set -eu
umask 077
mkdir -p secrets
# Containers read them as other accounts than ours: the folder keeps others out, not the files.
random() {
	[ -e "secrets/$1" ] || head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' > "secrets/$1"
}
for name in container_manager_admin database_password drive_admin drive_database_password identity_provider_admin \
	identity_provider_database_password manager_client_secret manager_database_password manager_keys notebook_hub_crypt_key \
	notebook_hub_manager_token sql_server_root triplestore_admin; do
	random "$name"
done
# Not known yet: compose refuses to start without the files, so that they are there, and empty.
for name in container_manager_key notebook_hub_client_secret; do
	[ -e "secrets/$name" ] || : > "secrets/$name"
done
# The SQL server shows this certificate, which nobody signed but itself: the manager is told to trust it.
[ -e secrets/sql_server_certificate ] ||
	openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj "/CN=sql-server" -addext "subjectAltName=DNS:sql-server" \
		-keyout secrets/sql_server_key -out secrets/sql_server_certificate 2> /dev/null
# Letters go to the log until somebody names a mail server here.
[ -e secrets/email_url ] || printf 'console:' > secrets/email_url
[ -e secrets/manager_database_url ] ||
	printf 'postgresql://manager:%s@database/manager' "$(cat secrets/manager_database_password)" > secrets/manager_database_url
chmod 0444 secrets/*
ls secrets
