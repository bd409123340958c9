"""The other languages: one file of each made by hand."""

import pytest

from assay.catalogue import find, names
from assay.corpora import languages
from assay.corpora.programs.calls import calls
from assay.corpora.programs.definitions import definitions

TYPESCRIPT = """\
import { x } from "y";
export const LIMIT = 3, now = () => Date.now();
@entity()
export class Shape<T> extends Base {
  side = 4;
  constructor(private a: number) { super(a); }
  @log()
  async area(): Promise<number> {
    return await this.measure<T>(
      new geo.Box(this.side));
  }
  handler = (e: Event) => { e.stop(); };
}
interface Named { name: string; rename(to: string): void }
export enum Colour { Red }
type Pair = [number, number];
namespace Tools { export function sharpen() {} }
function outer() { function inner() {} return inner; }
export abstract class Part { abstract turn(): void; }
"""

JAVASCRIPT = """\
const View = ({ title }) => <h1 onClick={() => open(title)}>{title}</h1>;
exports.parse = function (text) { return require("x").parse(text); };
class Queue { static make() { return new Queue(); } #take() {} }
function* ids() { yield 1; }
"""

GO = """\
package shapes

const Limit = 3

var (
	low  = 1
	high = 2
)

type Shape struct{ side int }
type Named interface {
	Name() string
}
type List[T any] []T
type Alias = Shape

func New(side int) *Shape {
	return &Shape{side: math.Abs(side)}
}

func (s *Shape) Area() int {
	if err := check(s); err != nil {
		panic(err)
	}
	defer s.mu.Unlock()
	return s.side
}

func (l List[T]) Len() int { return len(l) }
"""

RUST = """\
use std::fmt;
pub const LIMIT: i32 = 3;
static NAME: &str = "x";
#[derive(Debug)]
// a comment between
pub struct Shape<T> { side: T }
enum Colour { Red }
pub trait Named {
    fn name(&self) -> String;
    fn hello(&self) { println!("{}", self.name()); }
}
impl<T> Named for Shape<T> {
    #[inline]
    #[must_use]
    fn name(&self) -> String {
        let text = String::from_utf8::<u8>(
            self.bytes(),
        );
        text.unwrap()
    }
}
mod tools {
    pub fn sharpen() { fn inner() {} Some(1); }
}
macro_rules! shout { () => {} }
type Pair = (i32, i32);
"""

JAVA = """\
package shapes;

@Entity
public class Shape<T> extends Base implements Named {
    private final Map<String, T> sides = new HashMap<>();

    public Shape(int side) {
        super(side);
    }

    @Override
    public int area(int side) {
        return Math.abs(
            this.measure(side).value());
    }

    enum Colour { RED; Colour next() { return RED; } }
    interface Part { void turn(); }
}
record Pair(int a, int b) { Pair { check(a); } }
@interface Entity {}
"""


def outline(text, language):
    found = definitions(text, language)
    return [(each.name, each.kind, each.first_line, each.last_line) for each in found]


def called(text, language):
    return [
        (each.name, each.last, each.first_line, each.last_line)
        for each in calls(text, language)
        if each.api
    ]


def test_typescript():
    assert outline(TYPESCRIPT, "typescript") == [
        ("LIMIT", "constant", 2, 2),
        ("now", "function", 2, 2),
        ("Shape", "class", 3, 13),
        ("Shape.constructor", "method", 6, 6),
        ("Shape.area", "method", 7, 11),
        ("Shape.handler", "method", 12, 12),
        ("Named", "interface", 14, 14),
        ("Named.rename", "method", 14, 14),
        ("Colour", "enum", 15, 15),
        ("Pair", "type", 16, 16),
        ("Tools", "module", 17, 17),
        ("Tools.sharpen", "function", 17, 17),
        ("outer", "function", 18, 18),
        ("outer.inner", "function", 18, 18),
        ("Part", "class", 19, 19),
        ("Part.turn", "method", 19, 19),
    ]
    assert called(TYPESCRIPT, "typescript") == [
        ("Date.now", "now", 2, 2),
        ("entity", "entity", 3, 3),
        ("log", "log", 7, 7),
        ("this.measure", "measure", 9, 10),
        ("geo.Box", "Box", 9, 10),
        ("e.stop", "stop", 12, 12),
    ]
    assert outline(TYPESCRIPT, "tsx") == outline(TYPESCRIPT, "typescript")


def test_javascript():
    assert outline(JAVASCRIPT, "javascript") == [
        ("View", "function", 1, 1),
        ("parse", "function", 2, 2),
        ("Queue", "class", 3, 3),
        ("Queue.make", "method", 3, 3),
        ("Queue.#take", "method", 3, 3),
        ("ids", "function", 4, 4),
    ]
    assert called(JAVASCRIPT, "javascript") == [("open", "open", 1, 1), ("Queue", "Queue", 3, 3)]


def test_go():
    assert outline(GO, "go") == [
        ("Limit", "constant", 3, 3),
        ("low", "variable", 6, 6),
        ("high", "variable", 7, 7),
        ("Shape", "struct", 10, 10),
        ("Named", "interface", 11, 13),
        ("Named.Name", "method", 12, 12),
        ("List", "type", 14, 14),
        ("Alias", "type", 15, 15),
        ("New", "function", 17, 19),
        ("Shape.Area", "method", 21, 27),
        ("List.Len", "method", 29, 29),
    ]
    assert called(GO, "go") == [
        ("math.Abs", "Abs", 18, 18),
        ("check", "check", 22, 22),
        ("s.mu.Unlock", "Unlock", 25, 25),
    ]


def test_rust():
    assert outline(RUST, "rust") == [
        ("LIMIT", "constant", 2, 2),
        ("NAME", "constant", 3, 3),
        ("Shape", "struct", 4, 6),
        ("Colour", "enum", 7, 7),
        ("Named", "trait", 8, 11),
        ("Named.name", "method", 9, 9),
        ("Named.hello", "method", 10, 10),
        ("Shape.name", "method", 13, 20),
        ("tools", "module", 22, 24),
        ("tools.sharpen", "function", 23, 23),
        ("tools.sharpen.inner", "function", 23, 23),
        ("shout", "macro", 25, 25),
        ("Pair", "type", 26, 26),
    ]
    assert called(RUST, "rust") == [
        ("String::from_utf8", "from_utf8", 16, 18),
        ("self.bytes", "bytes", 16, 18),
        ("text.unwrap", "unwrap", 19, 19),
    ]


def test_java():
    assert outline(JAVA, "java") == [
        ("Shape", "class", 3, 19),
        ("Shape.Shape", "method", 7, 9),
        ("Shape.area", "method", 11, 15),
        ("Shape.Colour", "enum", 17, 17),
        ("Shape.Colour.next", "method", 17, 17),
        ("Shape.Part", "interface", 18, 18),
        ("Shape.Part.turn", "method", 18, 18),
        ("Pair", "class", 20, 20),
        ("Pair.Pair", "method", 20, 20),
        ("Entity", "interface", 21, 21),
    ]
    assert called(JAVA, "java") == [
        ("HashMap", "HashMap", 5, 5),
        ("Math.abs", "abs", 13, 14),
        ("this.measure", "measure", 13, 14),
        ("check", "check", 20, 20),
    ]


@pytest.mark.parametrize("name", names(languages))
def test_every_language_is_whole(name):
    language = find(languages, name)
    assert isinstance(language, languages.Language)
    assert language.extensions
    assert not any(end.startswith(".") for end in language.extensions)
    assert definitions("x", name) == []
    assert calls("x", name) == []
    owned = [end for other in names(languages) for end in find(languages, other).extensions]
    assert len(owned) == len(set(owned))
