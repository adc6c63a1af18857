"""The files of a Nextcloud: its code and an installed state, made once from the folder of
parts, and the configurations of the programs that serve it.

The code is shared by all runs and never written to: configuration, apps, database and files of a
run lie in its own home (`NEXTCLOUD_CONFIG_DIR`, `apps_paths`).
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from workspace_sandbox.patience import START_S
from workspace_sandbox.real import cache

DATABASE = "nc"
MODULES = ("pdo_mysql", "gd", "zip", "curl", "xml", "mbstring", "intl", "bcmath", "gmp", "bz2")
"""Of PHP; Debian has a package for each."""
PHP_VERSIONS = ("8.3", "8.2", "8.1", "8.0")
"""Those Nextcloud 29 runs on, newest first."""

_CHEAP_HASHES = {
    "hashingCost": 4,
    "hashingTimeCost": 1,
    "hashingMemoryCost": 8,
    "hashingThreads": 1,
}
"""Every call with a real password makes and compares hashes; nobody attacks those of a sandbox."""


def php() -> tuple[str, str]:
    """The command line and the server of the newest PHP that fits; "" for what is not there."""
    for number in PHP_VERSIONS:
        found = (program(f"php{number}"), program(f"php-fpm{number}"))
        if all(found):
            return found
    return program("php"), program("php-fpm")


def program(name: str) -> str:
    """Where a program is; Debian keeps servers out of an ordinary account's path."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which(name, path=path) or ""


def missing() -> list[str]:
    """Programs and modules that this machine lacks, each with what to install."""
    command, server = php()
    wanted = {"PHP": command, "php-fpm": server}
    wanted |= {name: program(name) for name in ("nginx", "mariadbd", "mariadb-install-db")}
    lacking = [name for name, path in wanted.items() if not path]
    if command:
        told = subprocess.run([command, "-m"], capture_output=True, text=True, check=False)
        have = told.stdout.lower().split()
        lacking += [f"PHP's {name}" for name in MODULES if name not in have]
    return lacking


def lay_out(code: Path, home: Path, run: Path) -> None:
    """Make the folders of a home, have `run` be where sockets and logs lie, and say in its
    configuration where they are.

    The file has the last word over `config.php`, which is taken from the installed state.
    """
    for name in ("config", "data", "apps"):
        (home / name).mkdir(parents=True, exist_ok=True, mode=0o700)
    # A socket's path may be 107 bytes long at most; a home may lie deeper than that.
    (home / "run").unlink(missing_ok=True)
    (home / "run").symlink_to(run, target_is_directory=True)
    (home / "config" / "CAN_INSTALL").touch()
    hashes = "".join(f"  '{name}' => {number},\n" for name, number in _CHEAP_HASHES.items())
    (home / "config" / "run.config.php").write_text(
        "<?php\n$CONFIG = [\n"
        f"  'datadirectory' => '{home / 'data'}',\n"
        f"  'dbhost' => 'localhost:{run / 'db.sock'}',\n"
        "  'apps_paths' => [\n"
        f"    ['path' => '{code}/www/apps', 'url' => '/apps', 'writable' => false],\n"
        f"    ['path' => '{home}/apps', 'url' => '/own-apps', 'writable' => false],\n"
        "  ],\n  'appstoreenabled' => false,\n"
        f"{hashes}];\n"
    )


def choose_app(code: Path, home: Path, version: str) -> None:
    """Have this version of user_oidc be the one that is there."""
    link = home / "apps" / "user_oidc"
    link.unlink(missing_ok=True)
    link.symlink_to(code / f"user_oidc-{version}", target_is_directory=True)


def app_number(code: Path, version: str) -> str:
    """The number that this version of user_oidc gives itself."""
    told = (code / f"user_oidc-{version}" / "appinfo" / "info.xml").read_text()
    found = re.search(r"<version>([^<]+)</version>", told)
    return found[1] if found else ""


def install_database(data: Path, draft: Path) -> None:
    """Install an empty database. Raises CommandFailed."""
    command = [
        program("mariadb-install-db"), "--no-defaults", f"--datadir={data}",
        "--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve",
        "--innodb-log-file-size=8M", "--force",
    ]  # fmt: skip
    command += ["--user=root"] if os.geteuid() == 0 else []
    cache.run(command, draft, doing="installing its database", limit_s=START_S)


def of_php(code: Path, home: Path) -> Path:
    """Write PHP's own configuration. What it compiles is kept beside the code, for all runs."""
    run = (home / "run").resolve()
    file, socket = run / "php.ini", run / "db.sock"
    compiled = code.parent / "compiled"
    compiled.mkdir(exist_ok=True, mode=0o700)
    file.write_text(
        "memory_limit=512M\nopcache.enable=1\nopcache.enable_cli=1\n"
        f"opcache.file_cache={compiled}\nopcache.interned_strings_buffer=16\n"
        "opcache.max_accelerated_files=20000\n"
        # The app may be swapped under it: links are followed anew each time.
        "opcache.revalidate_path=1\nrealpath_cache_size=0\ndate.timezone=UTC\n"
        f"mysqli.default_socket={socket}\npdo_mysql.default_socket={socket}\n"
        f"session.save_path={run}\nsys_temp_dir={run}\nupload_tmp_dir={run}\n"
    )
    return file


def of_fpm(home: Path) -> Path:
    """Write the configuration of the PHP server. Its account is ours: without root the lines that
    name one are passed over.
    """
    file = home / "run" / "fpm.conf"
    account = "user=root\ngroup=root\n" if os.geteuid() == 0 else ""
    file.write_text(
        f"[global]\nerror_log={home / 'run' / 'fpm.log'}\ndaemonize=no\n"
        f"[www]\n{account}listen={php_socket(home)}\nlisten.mode=0600\n"
        "pm=static\npm.max_children=5\nclear_env=no\ncatch_workers_output=yes\n"
    )
    return file


def php_socket(home: Path) -> Path:
    """Return the socket where the web server reaches PHP."""
    return (home / "run").resolve() / "php.sock"


def of_nginx(code: Path, home: Path, *, port: int) -> Path:
    """Write the configuration of the web server: Nextcloud's own advice, on loopback alone. Port 0:
    nobody finds it.
    """
    file = home / "run" / "nginx.conf"
    run = (home / "run").resolve()
    temporary = " ".join(
        f"{name}_temp_path {run}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    listen = f"127.0.0.1:{port}" if port else f"unix:{run}/nobody.sock"
    account = "user root; " if os.geteuid() == 0 else ""
    file.write_text(
        _NGINX.replace("@ACCOUNT@", account)
        .replace("@TEMPORARY@", temporary)
        .replace("@RUN@", str(run))
        .replace("@WWW@", str(code / "www"))
        .replace("@APPS@", str(home / "apps"))
        .replace("@FPM@", str(php_socket(home)))
        .replace("@LISTEN@", listen)
    )
    return file


_NGINX = r"""daemon off; @ACCOUNT@worker_processes 1;
pid @RUN@/nginx.pid; error_log @RUN@/nginx.err;
events { worker_connections 256; }
http {
 include /etc/nginx/mime.types; access_log @RUN@/access.log; client_max_body_size 512M; @TEMPORARY@
 server {
  listen @LISTEN@; server_name _; root @WWW@; index index.php index.html /index.php$request_uri;
  location ^~ /.well-known {
   location = /.well-known/carddav { return 301 /remote.php/dav/; }
   location = /.well-known/caldav { return 301 /remote.php/dav/; }
   return 301 /index.php$request_uri;
  }
  location ~ ^/(?:build|tests|config|lib|3rdparty|templates|data)(?:$|/) { return 404; }
  location ~ ^/(?:\.|autotest|occ|issue|indie|db_|console) { return 404; }
  location /own-apps/ { alias @APPS@/; }
  location ~ \.php(?:$|/) {
   rewrite ^/(?!index|remote|public|cron|status|ocs/v[12]|ocs-provider/.+) /index.php$request_uri;
   fastcgi_split_path_info ^(.+?\.php)(/.*)$;
   set $path_info $fastcgi_path_info;
   try_files $fastcgi_script_name =404;
   include /etc/nginx/fastcgi_params;
   fastcgi_param HTTP_HOST $http_host;
   fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
   fastcgi_param PATH_INFO $path_info;
   fastcgi_param modHeadersAvailable true;
   fastcgi_param front_controller_active true;
   fastcgi_pass unix:@FPM@;
   fastcgi_intercept_errors on;
   fastcgi_request_buffering off;
   fastcgi_read_timeout 300;
  }
  location ~ \.(?:css|js|mjs|svg|gif|png|jpg|ico|wasm|map|woff2?)$ {
   try_files $uri /index.php$request_uri;
  }
  location /remote { return 301 /remote.php$request_uri; }
  location / { try_files $uri $uri/ /index.php$request_uri; }
 }
}
"""
