"""A file's language by its name or its first line."""

import pytest

from assay.corpora.programs.language_of import NAMED, language_of


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        ("src/a.py", b"", "python"),
        ("A.PY", b"", "python"),
        ("a.test.ts", b"", "typescript"),
        ("a.tsx", b"", "tsx"),
        ("a.mjs", b"", "javascript"),
        ("a/main.go", b"", "go"),
        ("lib.rs", b"", "rust"),
        ("A.java", b"", "java"),
        ("README.md", b"", "markdown"),
        ("a.h", b"", "c"),
        ("a.h", b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n', "c"),
        ("a.h", b"/* the class of a shape */\nstruct shape { int class; };\n", "c"),
        ("a.h", b"#pragma once\n\nclass Shape : public Base {\n", "cpp"),
        ("a.h", b"namespace shapes {\n", "cpp"),
        ("a.h", b"  template <typename T>\n", "cpp"),
        ("a.h", b"void f(const std::string& s);\n", "cpp"),
        ("a.c++", b"", "cpp"),
        ("A.cs", b"", "csharp"),
        ("a.rb", b"", "ruby"),
        ("Rakefile", b"", "ruby"),
        ("run", b"#!/usr/bin/env ruby\n", "ruby"),
        ("index.php", b"", "php"),
        ("a.kts", b"", "kotlin"),
        ("Makefile", b"", "make"),
        ("docker/Dockerfile", b"", "dockerfile"),
        ("CMakeLists.txt", b"", "cmake"),
        ("run", b"#!/usr/bin/env python3\n", "python"),
        ("run", b"#! /usr/bin/python3.11 -u\n", "python"),
        ("run", b"#!/usr/bin/env -S node --x\n", "javascript"),
        ("run", b"#!/bin/sh", "bash"),
        ("run", b"#!/usr/bin/unknown", ""),
        ("run", b"#!", ""),
        ("run", b"python", ""),
        ("py", b"", ""),
        ("dir.py/run", b"", ""),
        ("", b"", ""),
        (".editorconfig", b"", "ini"),
        ("a.unknown", b"#!/bin/bash", "bash"),
    ],
)
def test_by_hand(path, head, expected):
    assert language_of(path, head) == expected


def test_no_extension_is_claimed_twice():
    ends = [end for words in NAMED.values() for end in words.split()]
    assert len(ends) == len(set(ends))
