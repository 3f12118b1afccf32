"""Opcodes of difflib for each line [old, new], two lists, of standard input."""
import difflib
import json
import sys

for line in sys.stdin:
    old, new = json.loads(line)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    print(json.dumps(matcher.get_opcodes()), flush=False)
