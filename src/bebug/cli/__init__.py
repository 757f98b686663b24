"""The command line: parse, call one pipeline verb, print."""
