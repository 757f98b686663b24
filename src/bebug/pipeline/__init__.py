"""The verbs, and the one place where islands meet: mine, build, prove, rate."""
