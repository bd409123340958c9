"""Six more languages: one file of each made by hand."""

import pytest

from assay.corpora.programs.calls import calls
from assay.corpora.programs.definitions import definitions

C = """\
#include <stdio.h>
#define LIMIT 3
#define SQUARE(x) ((x) * (x))
/* a shape */
typedef struct shape {
    int side;
    int (*measure)(int);
} shape_t;
struct point { int x, y; };
union word { int i; char c[4]; };
enum colour { RED, GREEN };
typedef int (*handler)(void);
typedef unsigned long number;
static int counter = 0, other;
const char *names[] = {"a", "b"};
int area(struct shape *s);
static inline int *area_of(struct shape *s) {
    int local = abs(s->side);
    return s->measure(
        local);
}
int main(void) { if (check(1)) printf("%d", SQUARE(2)); return sizeof(int); }
"""

CPP = """\
#include <vector>
#define LIMIT 3
namespace shapes {
template <typename T>
class Shape : public Base {
 public:
  Shape(int side) : side_(side) {}
  virtual ~Shape() = default;
  int area() const { return measure<T>(side_); }
  int side() const;
  bool operator==(const Shape& o) const { return true; }
  static const int kMax = 4;
 private:
  int side_;
};
struct Point { int x; };
enum class Colour { Red };
using Alias = Shape<int>;
template <typename T> T twice(T x) { return std::max<T>(x, x) + obj.go() + p->stop(); }
}  // namespace shapes
namespace a::b { int deep() { return 1; } }
int shapes::Shape::side() const { auto f = [](int x) { return x; }; return new Box(3)->size(); }
Shape::~Shape() {}
template <> int Vec<int>::len() { return 0; }
int* ptr(int a) { return nullptr; }
int& ref(int a) { return x; }
int global = 4;
extern "C" { void c_fn(int a) {} }
concept Small = sizeof(T) < 4;
"""

CSHARP = """\
using System;
namespace Shapes.Core;
/// <summary>x</summary>
[Serializable]
public class Shape<T> : Base, INamed where T : class {
    private const int Limit = 3;
    public int Side { get; set; } = 4;
    public event EventHandler Changed;
    public Shape(int side) : base(side) { }
    ~Shape() { }
    [Obsolete]
    public async Task<int> Area(int side) {
        return await this.Measure<T>(
            new Geo.Box(side));
    }
    public static Shape<T> operator +(Shape<T> a, Shape<T> b) => a;
    public int this[int i] => i;
    void Outer() { int Inner(int x) { return x; } Console.WriteLine(nameof(T)); }
}
interface INamed { string Name(); }
struct Point { public int X; }
record Pair(int A, int B);
record struct Two(int A);
enum Colour { Red }
delegate void Handler(int x);
"""

RUBY = """\
require "json"
LIMIT = 3
# a shape
module Shapes
  class Shape < Base
    attr_reader :side
    SIDES = 4
    def initialize(side)
      @side = side
    end
    def area(x) = measure(x)
    def self.make(*args)
      new(*args).tap { |s| s.check! }
    end
    class << self
      def build; Shape.new; end
    end
    def ==(other) = true
    def empty?; @side.zero?; end
  end
  class Geo::Box; end
end
def helper(a)
  puts JSON.parse(a, symbolize: true)
  value = if ready? then run else stop end
end
counter = 1
"""

PHP = """\
<?php
namespace App\\Shapes;
use Foo\\Bar;
const LIMIT = 3;
define('OLD', 1);
/** A shape */
#[Entity]
abstract class Shape extends Base implements Named {
    use Loggable;
    const SIDES = 4;
    private int $side = 4;
    public function __construct(private int $x) { parent::__construct($x); }
    #[Pure]
    public function area(int $x): int {
        return $this->measure(
            new Geo\\Box($x));
    }
    abstract protected function turn(): void;
    public static function make() { return static::build(strlen("x"), array_map(fn($y) => 1, [])); }
}
interface Named { public function name(): string; }
trait Loggable { function log() { echo "x"; } }
enum Colour: string { case Red = 'r'; public function label() { return ucfirst($this->value); } }
function helper($a) { if (check($a)) { return $a?->go(); } }
$counter = 1;
?>
<p>html</p>
"""

KOTLIN = """\
package shapes

import kotlin.math.max

const val LIMIT = 3
val low = 1
var high: Int = 2

/** A shape */
@Entity
data class Shape<T>(val side: Int) : Base(side), Named {
    val area: Int
        get() = side * side
    constructor() : this(4)
    init {
        check(side > 0)
    }
    @Log
    override suspend fun measure(x: Int): Int {
        val r = this.compute(
            geo.Box(x))
        return r.size()
    }
    companion object {
        fun make() = Shape(1)
    }
    inner class Corner {
        fun turn() {}
    }
}

interface Named {
    fun name(): String
}

enum class Colour {
    RED;
    fun next() = RED
}

object Single {
    fun go() {}
}

typealias Two = Pair<Int, Int>

fun helper(a: Int) = max(a, 1)

fun Shape<Int>.extend(): Int {
    fun inner() {}
    listOf(1).map { it.dec() }
    return 1
}

fun String.shout() = uppercase()
"""

OUTLINES = {
    "c": (
        C,
        [
            ("LIMIT", "constant", 2, 2),
            ("SQUARE", "macro", 3, 3),
            ("shape", "struct", 5, 8),
            ("shape_t", "type", 8, 8),
            ("point", "struct", 9, 9),
            ("word", "struct", 10, 10),
            ("colour", "enum", 11, 11),
            ("handler", "type", 12, 12),
            ("number", "type", 13, 13),
            ("counter", "variable", 14, 14),
            ("other", "variable", 14, 14),
            ("names", "variable", 15, 15),
            ("area_of", "function", 17, 21),
            ("main", "function", 22, 22),
        ],
    ),
    "cpp": (
        CPP,
        [
            ("LIMIT", "constant", 2, 2),
            ("shapes", "module", 3, 20),
            ("shapes.Shape", "class", 4, 15),
            ("shapes.Shape.Shape", "method", 7, 7),
            ("shapes.Shape.~Shape", "method", 8, 8),
            ("shapes.Shape.area", "method", 9, 9),
            ("shapes.Shape.operator==", "method", 11, 11),
            ("shapes.Point", "struct", 16, 16),
            ("shapes.Colour", "enum", 17, 17),
            ("shapes.Alias", "type", 18, 18),
            ("shapes.twice", "function", 19, 19),
            ("a.b", "module", 21, 21),
            ("a.b.deep", "function", 21, 21),
            ("shapes.Shape.side", "method", 22, 22),
            ("Shape.~Shape", "method", 23, 23),
            ("Vec.len", "method", 24, 24),
            ("ptr", "function", 25, 25),
            ("ref", "function", 26, 26),
            ("global", "variable", 27, 27),
            ("c_fn", "function", 28, 28),
            ("Small", "type", 29, 29),
        ],
    ),
    "csharp": (
        CSHARP,
        [
            ("Shape", "class", 4, 19),
            ("Shape.Side", "method", 7, 7),
            ("Shape.Shape", "method", 9, 9),
            ("Shape.Shape", "method", 10, 10),
            ("Shape.Area", "method", 11, 15),
            ("Shape.Outer", "method", 18, 18),
            ("Shape.Outer.Inner", "function", 18, 18),
            ("INamed", "interface", 20, 20),
            ("INamed.Name", "method", 20, 20),
            ("Point", "struct", 21, 21),
            ("Pair", "class", 22, 22),
            ("Two", "class", 23, 23),
            ("Colour", "enum", 24, 24),
            ("Handler", "type", 25, 25),
        ],
    ),
    "ruby": (
        RUBY,
        [
            ("LIMIT", "constant", 2, 2),
            ("Shapes", "module", 4, 22),
            ("Shapes.Shape", "class", 5, 20),
            ("Shapes.Shape.SIDES", "constant", 7, 7),
            ("Shapes.Shape.initialize", "method", 8, 10),
            ("Shapes.Shape.area", "method", 11, 11),
            ("Shapes.Shape.make", "method", 12, 14),
            ("Shapes.Shape.build", "method", 16, 16),
            ("Shapes.Shape.==", "method", 18, 18),
            ("Shapes.Shape.empty?", "method", 19, 19),
            ("Shapes.Geo.Box", "class", 21, 21),
            ("helper", "function", 23, 26),
        ],
    ),
    "php": (
        PHP,
        [
            ("LIMIT", "constant", 4, 4),
            ("Shape", "class", 7, 20),
            ("Shape.__construct", "method", 12, 12),
            ("Shape.area", "method", 13, 17),
            ("Shape.turn", "method", 18, 18),
            ("Shape.make", "method", 19, 19),
            ("Named", "interface", 21, 21),
            ("Named.name", "method", 21, 21),
            ("Loggable", "trait", 22, 22),
            ("Loggable.log", "method", 22, 22),
            ("Colour", "enum", 23, 23),
            ("Colour.label", "method", 23, 23),
            ("helper", "function", 24, 24),
        ],
    ),
    "kotlin": (
        KOTLIN,
        [
            ("LIMIT", "constant", 5, 5),
            ("low", "variable", 6, 6),
            ("high", "variable", 7, 7),
            ("Shape", "class", 10, 30),
            ("Shape.measure", "method", 18, 23),
            ("Shape.make", "method", 25, 25),
            ("Shape.Corner", "class", 27, 29),
            ("Shape.Corner.turn", "method", 28, 28),
            ("Named", "interface", 32, 34),
            ("Named.name", "method", 33, 33),
            ("Colour", "enum", 36, 39),
            ("Colour.next", "method", 38, 38),
            ("Single", "class", 41, 43),
            ("Single.go", "method", 42, 42),
            ("Two", "type", 45, 45),
            ("helper", "function", 47, 47),
            ("Shape.extend", "method", 49, 53),
            ("Shape.extend.inner", "function", 50, 50),
            ("String.shout", "method", 55, 55),
        ],
    ),
}

CALLS = {
    "c": (
        C,
        [
            ("abs", "abs", 18, 18),
            ("s->measure", "measure", 19, 20),
            ("check", "check", 22, 22),
            ("printf", "printf", 22, 22),
            ("SQUARE", "SQUARE", 22, 22),
        ],
    ),
    "cpp": (
        CPP,
        [
            ("measure", "measure", 9, 9),
            ("std::max", "max", 19, 19),
            ("obj.go", "go", 19, 19),
            ("p->stop", "stop", 19, 19),
            ("Box", "Box", 22, 22),
        ],
    ),
    "csharp": (
        CSHARP,
        [
            ("this.Measure", "Measure", 13, 14),
            ("Geo.Box", "Box", 13, 14),
            ("Console.WriteLine", "WriteLine", 18, 18),
        ],
    ),
    "ruby": (
        RUBY,
        [
            ("measure", "measure", 11, 11),
            ("new", "new", 13, 13),
            ("s.check!", "check", 13, 13),
            ("Shape.new", "new", 16, 16),
            ("JSON.parse", "parse", 24, 24),
            ("ready?", "ready", 25, 25),
        ],
    ),
    "php": (
        PHP,
        [
            ("define", "define", 5, 5),
            ("parent::__construct", "__construct", 12, 12),
            ("$this->measure", "measure", 15, 16),
            ("Geo\\Box", "Box", 15, 16),
            ("static::build", "build", 19, 19),
            ("strlen", "strlen", 19, 19),
            ("array_map", "array_map", 19, 19),
            ("ucfirst", "ucfirst", 23, 23),
            ("check", "check", 24, 24),
            ("$a?->go", "go", 24, 24),
        ],
    ),
    "kotlin": (
        KOTLIN,
        [
            ("this.compute", "compute", 20, 21),
            ("geo.Box", "Box", 20, 21),
            ("r.size", "size", 22, 22),
            ("Shape", "Shape", 25, 25),
            ("max", "max", 47, 47),
            ("it.dec", "dec", 51, 51),
            ("uppercase", "uppercase", 55, 55),
        ],
    ),
}


@pytest.mark.parametrize("language", OUTLINES)
def test_definitions_by_hand(language):
    text, expected = OUTLINES[language]
    found = definitions(text, language)
    assert [(each.name, each.kind, each.first_line, each.last_line) for each in found] == expected


@pytest.mark.parametrize("language", CALLS)
def test_calls_by_hand(language):
    text, expected = CALLS[language]
    found = [each for each in calls(text, language) if each.api]
    assert [(each.name, each.last, each.first_line, each.last_line) for each in found] == expected


@pytest.mark.parametrize("language", OUTLINES)
def test_line_ends_change_nothing(language):
    text, expected = OUTLINES[language]
    found = definitions(text.replace("\n", "\r\n"), language)
    assert [(each.name, each.kind, each.first_line, each.last_line) for each in found] == expected


def test_what_is_only_declared_is_defined_elsewhere():
    assert definitions('int area(int side);\nstruct shape;\nextern "C" {}\n', "cpp") == []
    assert definitions("#define SHAPE_H\nint area(int side);\n", "c") == []


def test_a_type_without_a_name_has_that_of_its_typedef():
    text = "typedef struct { int x; } Point;\ntypedef enum {\n  A\n} Letter;\n"
    found = [(each.name, each.kind, each.last_line) for each in definitions(text, "c")]
    assert found == [("Point", "struct", 1), ("Letter", "enum", 4)]


def test_names_are_qualified_with_dots():
    text = (
        "template <class T> void a::Stack<T>::push(T x) {}\nbool A::operator<(B b) { return 1; }\n"
    )
    found = [each.name for each in definitions(text, "cpp")]
    assert found == ["a.Stack.push", "A.operator<"]
