"""Settings come from options first, then from the environment, and are checked when they are read."""

from pathlib import Path

import pytest

from provender.settings import InvalidSetting, Settings


def test_without_anything_set_the_defaults_hold() -> None:
    assert Settings.load({}) == Settings()
    assert Settings.load({"PROVENDER_HOST": ""}) == Settings()


def test_options_win_over_the_environment() -> None:
    environment = {"PROVENDER_PORT": "9000", "PROVENDER_DATA_DIR": "/srv/a", "PROVENDER_WORKERS": "3"}
    settings = Settings.load(environment, port="9001", data_dir=None)
    assert (settings.port, settings.data_dir, settings.workers) == (9001, Path("/srv/a"), 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PROVENDER_PORT", "0"),
        ("PROVENDER_PORT", "65536"),
        ("PROVENDER_PORT", "http"),
        ("PROVENDER_METRICS_PORT", "0"),
        ("PROVENDER_WORKERS", "-1"),
        ("PROVENDER_WORKERS", "many"),
        ("PROVENDER_DATABASE_CONNECTIONS", "0"),
        ("PROVENDER_RATE_LIMIT", "0"),
        ("PROVENDER_RATE_LIMIT", "1000001"),
        ("PROVENDER_CLIENT_TIMEOUT_S", "0"),
        ("PROVENDER_CORS_ORIGINS", "app.example"),
        ("PROVENDER_CORS_ORIGINS", "https://app.example/"),
        ("PROVENDER_CORS_ORIGINS", "https://App.example"),
        ("PROVENDER_CORS_ORIGINS", "https://a.example,*"),
        ("PROVENDER_CORS_ORIGINS", "https://a.example,"),
        ("PROVENDER_CORS_ORIGINS", "null"),
        ("PROVENDER_DATABASE_URL", "mysql://alice:swordfish@host/x"),
    ],
)
def test_a_wrong_value_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        Settings.load({name: value})
    assert name in caught.value.detail
    assert "swordfish" not in caught.value.detail
