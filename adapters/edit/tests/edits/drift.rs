//! Places whose context drifted, and which of several is meant.

use super::{CODE, becomes, fails, run};
use mvdiff_edit::{ErrorKind, HintKind, Tier};

const TESTS: &str = "def test_empty():
    decoder = Decoder()
    assert decoder.flush() == ''


def test_line_decoder_newline():
    decoder = LineDecoder()
    assert decoder.decode('') == []
";

#[test]
fn context_that_drifted_is_taken_where_it_is_certain() {
    // A slip in a line that stays, in one that goes, and on one side only.
    becomes(
        CODE,
        "    with open(path) as fiel:\n        data = file.read()\n    check(data)",
        "    with open(path) as fiel:\n        data = file.read(9)\n    check(data)",
        &CODE.replace("file.read()", "file.read(9)"),
    );
    becomes(
        CODE,
        "def load(path):\n    with open(path) as flie:\n        data = file.read()",
        "def load(path):\n    with open(path) as f:\n        data = file.read()",
        &CODE.replacen("as file", "as f", 1),
    );
    becomes(
        CODE,
        "def load(path):\n    wiht open(path) as file:\n        data = file.read()",
        "def load(path):\n    with open(path) as file:\n        data = file.read(9)",
        &CODE.replace("file.read()", "file.read(9)"),
    );
    // A line that the block skips.
    let edited = run(
        CODE,
        "def load(path):\n        data = file.read()\n    check(data)",
        "def load(path):\n        data = file.read(9)\n    check(data)",
    );
    assert_eq!(
        edited.text.unwrap(),
        CODE.replace("file.read()", "file.read(9)").into_bytes()
    );
    let block = &edited.blocks[0];
    assert_eq!(
        (block.tier, block.hint_kind),
        (Some(Tier::Fuzzy), Some(HintKind::Stale))
    );
    assert_eq!(block.mismatches[0].line, Some(4));
}

#[test]
fn what_failed_says_what_is_there_instead() {
    let edited = run(
        CODE,
        "    check(data, strict=True)\n    return data",
        "    return data",
    );
    let block = &edited.blocks[0];
    let best = block.best.as_ref().unwrap();
    assert_eq!(best.lines, [6, 7]);
    assert_eq!(best.text.0, b"    check(data)\n    return data\n");
    assert_eq!(block.mismatches.len(), 1);
    assert_eq!(block.hint_kind, Some(HintKind::Stale));
    let other = run(CODE, "SELECT * FROM users;\nCOMMIT;", "ROLLBACK;");
    assert_eq!(other.blocks[0].hint_kind, Some(HintKind::WrongFile));
}

#[test]
fn a_start_line_that_is_off_chooses_only_what_is_alone() {
    let text = "hit\nx\nhit\n1\n2\n3\n4\n5\n6\n7\n8\n9\nhit\n";
    becomes(
        text,
        ":start_line:12\n-------\nhit",
        "HIT",
        "hit\nx\nhit\n1\n2\n3\n4\n5\n6\n7\n8\n9\nHIT\n",
    );
    fails(
        text,
        ":start_line:2\n-------\nhit",
        "HIT",
        ErrorKind::Ambiguous,
    );
}

/// Context that was edited since, around a change that is where it was.

#[test]
fn changes_are_found_though_their_context_drifted() {
    let text = "import re\nimport sys\n\n\ndef parse(source, strict):\n    tokens = tokenize(source)\n    return build_tree(tokens, strict)\n\n\nclass Walker:\n    pass\n";
    // Two lines of context are not there yet.
    becomes(
        text,
        "from typing import Iterator\n\n\ndef parse(source, strict):\n    tokens = tokenize(source)\n    return build_tree(tokens, strict)\n\n\ndef render(tree):",
        "from typing import Iterator\n\n\ndef parse(source, strict):\n    tokens = list(tokenize(source))\n    return build_tree(tokens, strict)\n\n\ndef render(tree):",
        &text.replace("tokenize(source)", "list(tokenize(source))"),
    );
    // What is there says too little to be the place for sure.
    fails(
        text,
        "def load(path):\n    return read(path)\n\n\nclass Walker:\n    pass",
        "def load(path):\n    return read(path)\n\n\nclass Builder:\n    pass\n\n\nclass Walker:\n    pass",
        ErrorKind::NoMatch,
    );
}

/// Code that was copied and adapted is not the place of a block that means the other.

#[test]
fn an_adapted_copy_is_another_place() {
    let text = "fn put(url: Url) {\n    let request = Request::new(Method::Put, url);\n    let response = transport.send(request, timeout);\n    response.check_status()\n}\n";
    let search = "fn patch(url: Url) {\n    let request = Request::new(Method::Patch, url);\n    let response = transport.send(request, timeout);\n    response.check_status()\n}";
    fails(
        text,
        search,
        &search.replace("timeout", "self.timeout"),
        ErrorKind::NoMatch,
    );
}

#[test]
fn lines_are_not_added_beside_context_that_is_known_on_one_side_only() {
    let text = "def test_text():\n    result = invoke(echo, input='Hello World!')\n    assert not result.exception\n    assert result.output == 'Hello World! Hello World!'\n\n\ndef test_other():\n    pass\n";
    fails(
        text,
        "    result = invoke(echo, input=Bytes(b'Hello World!'))\n    assert not result.exception\n    assert result.output == 'Hello World! Hello World!'",
        "    result = invoke(echo, input=Bytes(b'Hello World!'))\n    assert not result.exception\n    assert result.output == 'Hello World! Hello World!'\n\n\ndef test_prompts():\n    prompt()",
        ErrorKind::NoMatch,
    );
}

#[test]
fn a_line_that_is_there_once_is_found_whatever_follows_it() {
    let text = "        if name is None and possible_names:\n            possible_names.sort(key=len)\n            name = possible_names[-1].replace('-', '_')\n\n        if name is None:\n            raise TypeError('Could not determine name for option')\n";
    becomes(
        text,
        "        if name is None and possible_names:\n            possible_names.sort(key=len)\n            name = possible_names[-1].replace('-', '_')\n            if not isidentifier(name):\n                name = None",
        "        if name is None and possible_names:\n            possible_names.sort(key=prefix)\n            name = possible_names[-1].replace('-', '_')\n            if not isidentifier(name):\n                name = None",
        &text.replace("key=len", "key=prefix"),
    );
}

#[test]
fn a_change_beside_another_one_is_found_though_it_could_be_elsewhere() {
    let part = |name: &str, body: &str| {
        format!(
            "class {name}:\n\n    def size(self) -> int:\n        headers = self.headers()\n{body}\n"
        )
    };
    let own = "        length = peek_at_the_length_of(self.file)\n        # Read the file into memory as a last resort.\n        return len(headers) + length\n";
    let text = [
        part("Text", "        return len(headers)\n"),
        part("Upload", own),
    ]
    .concat();
    let search = format!(
        "    # All of the part, as it is sent.\n\n    def size(self) -> int:\n        headers = self.headers()\n{own}"
    );
    let replace = search.replace("-> int", "-> Optional[int]").replace(
        "        # Read the file into memory as a last resort.\n",
        "",
    );
    let new = own.replace(
        "        # Read the file into memory as a last resort.\n",
        "",
    );
    let due = [
        part("Text", "        return len(headers)\n"),
        part("Upload", &new).replace("-> int", "-> Optional[int]"),
    ]
    .concat();
    becomes(&text, search.trim_end(), replace.trim_end(), &due);
}

#[test]
fn lines_added_before_a_definition_are_found_though_the_text_above_changed() {
    // The blank lines that come with the new function may be those above it or below.
    becomes(
        TESTS,
        "    assert response.text == ''\n\n\ndef test_line_decoder_newline():\n    decoder = LineDecoder()",
        "    assert response.text == ''\n\n\ndef test_streaming():\n    stream()\n\n\ndef test_line_decoder_newline():\n    decoder = LineDecoder()",
        &TESTS.replace(
            "def test_line_decoder_newline",
            "def test_streaming():\n    stream()\n\n\ndef test_line_decoder_newline",
        ),
    );
}

#[test]
fn a_list_whose_last_entry_was_edited_takes_a_new_one() {
    let text = "    (\"vim\", &[\"*.vim\"]),\n    (\"vimscript\", &[\"*.vim\"]),\n    (\"wiki\", &[\"*.mediawiki\", \"*.wiki\"]),\n    (\"xml\", &[\"*.xml\", \"*.xml.dist\"]),\n    (\"yacc\", &[\"*.y\"]),\n    (\"yaml\", &[\"*.yaml\", \"*.yml\", \"yarn.lock\"]),\n";
    let search = text.trim_end().replace(", \"yarn.lock\"", "");
    let new = "    (\"webidl\", &[\"*.idl\", \"*.widl\"]),\n    (\"xml\"";
    let replace = search.replace("    (\"xml\"", new);
    becomes(text, &search, &replace, &text.replace("    (\"xml\"", new));
}

#[test]
fn a_place_whose_surroundings_are_there_twice_needs_all_of_its_context() {
    let client = |name: &str, send: &str| {
        format!(
            "class {name}:\n    def build_request(self, method, url):\n        headers = self.merge_headers(method)\n        cookies = self.merge_cookies(url)\n        timeout = self.timeout_of(method)\n{send}        self.log_response(response)\n        self.cookies.extract(response)\n        self.history.append(response)\n        return self.redirect(response)\n\n\n"
        )
    };
    let known =
        "        request = Request(method, url)\n        response = self.send_handling(request)\n";
    let text = [
        client("Client", known),
        client("AsyncClient", "        go()\n"),
    ]
    .concat();
    let search = "        request = Request(method, url)\n        response = self.send_handling(request)\n        await response.aread()";
    let replace = search.replace("Request(method, url)", "Request(method, url, headers)");
    fails(&text, search, &replace, ErrorKind::NoMatch);
}

#[test]
fn of_two_places_the_one_that_has_more_of_the_context_is_meant() {
    let text = "fn read_first_archive() {\n    let bytes = read_all(&path)?;\n    verify(bytes);\n    finish_reading_the_first();\n}\n\nfn other() {\n    let bytes = read_all(&path)?;\n    verify(bytes);\n}\n";
    becomes(
        text,
        "fn read_first_archive() {\n    let bytes = read_all(&path)?;\n    verify(bytes);\n    let rest = more();\n    finish_reading_the_first();",
        "fn read_first_archive() {\n    let bytes = read_all(&path)?;\n    check(bytes);\n    verify(bytes);\n    let rest = more();\n    finish_reading_the_first();",
        &text.replacen("    verify", "    check(bytes);\n    verify", 1),
    );
}

#[test]
fn the_head_of_a_place_says_which_one_is_meant() {
    // The same lines twice, and only one of them is in what the block names.
    let body =
        "        client.connect(address)\n        client.send(payload)\n        client.close()\n";
    let text = format!(
        "class Mail:\n    def send_letter(self, address):\n{body}\n    def send_parcel(self, address):\n{}",
        body.replace("payload", "parcel")
    );
    let search = "    def send_letter(self, address):\n        client.connect(address)\n        client.send(payload)\n        client.close()\n        log(address)\n        notify(address)";
    becomes(
        &text,
        search,
        &search.replace("send(payload)", "send(payload, retry=True)"),
        &text.replace("send(payload)", "send(payload, retry=True)"),
    );
    // A place in something else is another one.
    let other = search.replace("send_letter", "post_card");
    fails(
        &text,
        &other,
        &other.replace("send(payload)", "send(payload, retry=True)"),
        ErrorKind::NoMatch,
    );
}

#[test]
fn imports_are_told_by_little() {
    let text = "package main\n\nimport (\n\t\"bytes\"\n\t\"io\"\n\t\"os\"\n\t\"sync\"\n)\n";
    becomes(
        text,
        "\t\"fmt\"\n\t\"io\"\n\t\"os\"\n\t\"sync\"\n)",
        "\t\"fmt\"\n\t\"io\"\n\t\"os\"\n\t\"regexp\"\n\t\"sync\"\n)",
        "package main\n\nimport (\n\t\"bytes\"\n\t\"io\"\n\t\"os\"\n\t\"regexp\"\n\t\"sync\"\n)\n",
    );
}

#[test]
fn lines_at_the_end_of_a_block_follow_what_is_said_there() {
    let text = "test(\"bad\", () => {\n  expect(bad).toThrow();\n\n  expect(() => parse(\"x\")).toThrow();\n});\n\ntest(\"more\", () => {\n  expect(1).toBe(1);\n});\n";
    fails(
        text,
        "test(\"bad\", () => {\n  expect(bad).toThrow();\n});",
        "test(\"bad\", () => {\n  expect(bad).toThrow();\n});\n\ntest(\"element\", () => {\n  expect(2).toBe(2);\n});",
        ErrorKind::NoMatch,
    );
}

#[test]
fn a_threshold_is_not_advised_where_it_would_lose_an_end() {
    let text = "function f() {\n  let total = price * quantity * discount;\n}\n";
    let edited = run(
        text,
        "let total = price * quantity * discount",
        "let total = price * quantity",
    );
    let message = edited.blocks[0].message.as_deref().unwrap();
    assert!(!message.contains("--threshold"), "{message}");
}

#[test]
fn a_head_that_says_nothing_is_not_the_one_that_tells_places_apart() {
    let text = "class Visitor {\n  void visitObjectField(Field field, Type type) {\n    try {\n      \
         Json json = root.asObject();\n      String name = nameOf(field);\n      Json child = json.get(name);\n      \
         visit(child);\n    } finally {\n      close();\n    }\n  }\n}\n";
    fails(
        text,
        "  void visitArrayField(Field field, Type type) {\n    try {\n      \
         Json json = root.asObject();\n      String name = nameOf(field);\n      List list = json.list(name);",
        "  void visitArrayField(Field field, Type type) {\n    try {\n      check(root);\n      \
         Json json = root.asObject();\n      String name = nameOf(field);\n      List list = json.list(name);",
        ErrorKind::NoMatch,
    );
}
