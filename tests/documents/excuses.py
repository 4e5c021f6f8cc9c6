"""What of the how-to pages is not run: by its beginning, commands, and blocks without any. Each with its reason.

A test sees to it that everything here is on its page, and that the tests that do it instead are there.
"""

_ROOT = "makes users, or files of root's"
_INSTALLS = "installs from the network, as tests/system/test_deployment.py sees that it is locked"
_PODMAN = "needs a container engine's network: tests/system/test_deployment.py reads its files"
_PROMETHEUS = "is Prometheus's: tests/test_project.py sees that every metric of the page is there"

EXCUSES: dict[str, dict[str, str]] = {
    "how-to-back-up.md": {
        "install -d": _ROOT,
        "15 3 * * *": "cron's: tests/documents/test_shown_files.py runs its command",
        "[Service]": "systemd's: tests/documents/test_shown_files.py",
        "[Timer]": "systemd's: tests/documents/test_shown_files.py",
    },
    "how-to-check-and-repair.md": {
        "INSERT INTO": "for either database: tests/documents/test_shown_files.py",
        "Note: The indexes": "needs a PostgreSQL without an extension: tests/services/test_checking.py",
    },
    "how-to-deploy.md": {
        "useradd": _ROOT,
        "python3 -m venv": _INSTALLS,
        "/opt/provender/bin/pip": _INSTALLS,
        "make docs": "tests/documents/test_targets.py",
        "cp deploy/": "tests/system/test_deployment.py reads the unit",
        "systemctl daemon-reload": "needs systemd",
        "install -": _ROOT,
        "echo 'PROVENDER_DATABASE_URL=": _ROOT,
        "systemctl restart": "needs systemd, which reads the file",
        "systemd-run": "needs systemd",
        "podman": _PODMAN,
        "POSTGRES_PASSWORD=": _PODMAN,
    },
    "how-to-import-open-food-facts.md": {
        "pip install": _INSTALLS,
    },
    "how-to-import-usda.md": {
        "provender import fdc foundation.zip": "takes as long as the one before: tests/importers/test_run.py",
    },
    "how-to-import-your-own-table.md": {
        "Article;": "the file that is imported",
        "source = ": "the map that it is imported with",
        "sodium_in_mg = ": "a part of a map: tests/importers/test_table.py",
    },
    "how-to-run-behind-nginx.md": {
        "upstream provender": "tests/system/test_nginx.py",
        "nginx -t": "tests/system/test_nginx.py starts nginx with this configuration",
        "systemctl reload nginx": "tests/system/test_nginx.py",
        "curl https://api.example": "tests/system/test_nginx.py",
    },
    "how-to-run-on-many-machines.md": {
        "callers ": "a drawing",
        "export PROVENDER_DATABASE_URL": "needs two machines: tests/system/test_many_machines.py",
        "synchronous_standby_names": "PostgreSQL's: tests/system/test_many_machines.py",
        "provender serve": "needs two machines: tests/system/test_many_machines.py",
        "ignore_startup_parameters": "needs PgBouncer",
        "defaults": "tests/documents/test_shown_files.py lets HAProxy read it",
        "upstream provender": "tests/documents/test_shown_files.py lets nginx read it",
        "rsync": "needs a second machine",
        ".venv/bin/python -m benchmarks": "measures for minutes: tests/benchmarks/test_capacity.py",
        "5,681 kB": "a part of the same",
    },
    "how-to-upgrade.md": {
        "make docs": "tests/documents/test_targets.py",
        "/opt/provender/bin/pip": _INSTALLS,
        "provender: The storage has schema": "needs a newer release: tests/documents/test_shown_files.py",
    },
    "how-to-watch.md": {
        "PROVENDER_METRICS_HOST=": "needs that address: tests/system/test_metrics.py",
        "scrape_configs:": _PROMETHEUS,
        "sum by": _PROMETHEUS,
        "histogram_quantile": _PROMETHEUS,
        "rate(": _PROMETHEUS,
        "groups:": _PROMETHEUS,
        "/opt/provender/bin/pip": _INSTALLS,
        "OTEL_EXPORTER_OTLP_ENDPOINT=": "needs a collector: tests/system/test_tracing.py",
        "OTEL_TRACES_SAMPLER=": "an environment: tests/system/test_tracing.py",
    },
}
