"""Limits: nothing but limits on resources and a private copy; a run reaches what its user reaches.

A test that writes to an absolute path, or talks to the network, does so.
"""

from __future__ import annotations

from bebug.verification.isolating import Tier

tier = Tier(strength=0, wrap=lambda argv, walls: [*argv], step="nothing to do")
