import sys

from pkg.core import main

sys.exit(main(sys.argv[1:]))
