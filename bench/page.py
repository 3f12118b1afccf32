"""The page that the benchmarks write to: each command replaces its own part."""
import re


def table(head, rows):
    """A markdown table."""
    line = lambda cells: "| " + " | ".join(str(cell) for cell in cells) + " |"
    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)])


def put(path, name, title, part):
    """Replaces a part of the page at `path`, or appends it under `title`."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    begin, end = f"<!-- begin:{name} -->", f"<!-- end:{name} -->"
    fresh = f"{begin}\n{part.strip()}\n{end}"
    if begin in page:
        page = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: fresh, page, flags=re.DOTALL)
    else:
        page = f"{page.rstrip()}\n\n## {title}\n\n{fresh}\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
