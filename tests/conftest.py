"""What every test of bebug runs under: property tests take no heed of a busy machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("bebug", deadline=None)
settings.load_profile("bebug")
