"""`noughts site`: write the page as a folder for any static host."""

from collections.abc import Sequence

from noughts.cli.commands import Parser

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts site -o public                    write the folder `public`
  noughts site -o public --pyodide node_modules/pyodide
  python -m http.server --directory public  look at it, at http://localhost:8000

The folder is all there is: any static host serves it, at any address, and it loads nothing from elsewhere. Questions
are answered by Python in the reader's browser. That is Pyodide, which npm installs:

  npm install pyodide@%s

Without --pyodide, it is looked for where that command, or `make pyodide`, puts it.
"""


def run(argv: Sequence[str]) -> int:
    """Write the site, say what was written, and return the exit code."""
    from noughts.site.runtime import TESTED, find_runtime

    parser = Parser(
        prog="noughts site",
        description="Write the page as a folder that any static host serves.",
        epilog=EXAMPLES % TESTED,
    )
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="write the site into this folder")
    parser.add_argument("--pyodide", metavar="DIR", help="the folder of the npm package pyodide")
    args = parser.parse_args(argv)
    runtime = find_runtime(args.pyodide)

    from noughts.site.build import site_files, write_site  # imported here, since it is slow to import

    site = site_files(runtime)
    write_site(site, args.output)
    print(f"{args.output}: {len(site.files)} files, {site.size / 1e6:.1f} MB, with Pyodide {runtime.version}")
    return 0
