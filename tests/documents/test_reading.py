"""How a page is taken apart into commands and answers."""

from pathlib import Path

from tests.documents.pages import read_steps

PAGE = """\
# A page

Start it:

    make serve

Then ask, in one line or more:

    export KEY=pv_…
    curl one \\
      -d a=1

    {"answer":1}

    curl two -d '
      {"b":
       2}'

This is what it says, in another block:

    HTTP/1.1 200 OK

    {"answer":2}

An answer to nothing:

    {"answer":3}

```
curl three
four
```

Here one answers the other:

    $ head -n 1 file
    five
    $ A=1 provender serve
    $ provender six

And then:

    systemctl stop provender
    provender seven
"""


def test_commands_and_their_answers_are_found_with_their_lines(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    steps = [
        ([command.text for command in step.commands], [line.text for line in step.answer], step.number)
        for step in read_steps(page)
    ]
    assert steps == [
        (["make serve"], [], 5),
        (["export KEY=pv_…", "curl one \\\n  -d a=1"], ['{"answer":1}'], 9),
        (["curl two -d '\n  {\"b\":\n   2}'"], ["HTTP/1.1 200 OK", "", '{"answer":2}'], 15),
        ([], ['{"answer":3}'], 27),
        (["curl three"], ["four"], 30),
        (["head -n 1 file"], ["five"], 36),
        (["A=1 provender serve"], [], 38),
        (["provender six"], [], 39),
        (["systemctl stop provender", "provender seven"], [], 43),
    ]


def test_what_is_excused_is_left_out_with_its_answer_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    excused = ["curl ", "{", "systemctl ", "HTTP/1.1"]
    steps = [
        ([command.text for command in step.commands], [line.text for line in step.answer])
        for step in read_steps(page, excused)
    ]
    assert steps == [
        (["make serve"], []),
        (["export KEY=pv_…"], ['{"answer":1}']),
        (["head -n 1 file"], ["five"]),
        (["A=1 provender serve"], []),
        (["provender six"], []),
        (["provender seven"], []),
    ]
