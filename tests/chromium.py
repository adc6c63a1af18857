"""Chromium, once for all tests of a process: its loop lives in the thread that started it, and two
of them cannot.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from workspace_sandbox.patience import PATIENCE_S

PROGRAM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


@pytest.fixture(scope="session")
def chromium(real_part: Callable[..., Any]) -> Iterator[Browser]:
    part = real_part("Chromium", why_not="" if PROGRAM else "no chromium on this machine")
    # Playwright's loop lives in this thread as long as the browser does: no reason for Django to
    # refuse its tables.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=PATIENCE_S * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=PROGRAM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        part.version = browser.version
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
