import type { Draw } from './draw.ts';

type Make = (draw: Draw) => string;

const elements: Readonly<Record<string, Make>> = {
  int: (draw) => String(draw.below(7) - 3),
  uint: (draw) => `${draw.below(4)}u`,
  double: (draw) => draw.pick(['1.0', '2.5', '-0.0', 'double("NaN")', '1e300', '3.0']),
  bool: (draw) => draw.pick(['true', 'false']),
  string: (draw) =>
    draw.pick(['"a"', '"b"', '"é"', '""', '"aa"', '"a long text of more than ten bytes"']),
  bytes: (draw) => draw.pick(['b"a"', 'b"b"', 'b""', 'b"a long text of more than ten bytes"']),
  duration: (draw) => `duration("${draw.below(4)}s")`,
  timestamp: (draw) => `timestamp("202${draw.below(4)}-01-01T00:00:00Z")`,
  list: (draw) => draw.pick(['[1]', '[1, 2]', '[]', '[[1], [2]]', '["a"]']),
  map: (draw) => draw.pick(['{}', '{"a": 1}', '{"a": [1, 2]}', '{1: 2}']),
  null: () => 'null',
  quantity: (draw) => `quantity("${draw.pick(['1', '1k', '1000', '1.5'])}")`,
  optional: (draw) => draw.pick(['optional.none()', 'optional.of(1)']),
};

const kinds = Object.keys(elements);

function element(draw: Draw, kind: string): string {
  return elements[kind]?.(draw) ?? 'null';
}

function list(draw: Draw): string {
  const kind = draw.pick(kinds);
  const isMixed = draw.chance(0.15);
  const items = Array.from({ length: draw.below(6) }, () => {
    const item = element(draw, isMixed ? draw.pick(kinds) : kind);
    return isMixed || draw.chance(0.1) ? `dyn(${item})` : item;
  });
  const text = `[${items.join(', ')}]`;
  if (draw.chance(0.25)) {
    return draw.variable(
      draw.pick<unknown>([
        [3, 1, 2],
        ['b', 'a'],
        [1, 'a', null],
        [[1], [2, [3]]],
        [],
        [2.5, 1],
        [{ a: 1 }, { a: 1 }],
      ]),
    );
  }
  return draw.chance(0.3) ? `dyn(${text})` : text;
}

function index(draw: Draw): string {
  return draw.rarelyWrong(draw.value(draw.below(7) - 1));
}

/** Calls of the functions on lists and of the sets. */
export function listsFamily(draw: Draw): string {
  const target = draw.rarelyWrong(list(draw));
  const item = element(draw, draw.pick(kinds));
  const call = draw.pick([
    () => `${target}.isSorted()`,
    () => `${target}.sum()`,
    () => `${target}.min()`,
    () => `${target}.max()`,
    () => `${target}.indexOf(${item})`,
    () => `${target}.lastIndexOf(dyn(${item}))`,
    () => `${target}.slice(${index(draw)}, ${index(draw)})`,
    () => `${target}.flatten()`,
    () => `${target}.flatten(${index(draw)})`,
    () => `lists.range(${index(draw)})`,
    () => `${target}.distinct()`,
    () => `${target}.reverse()`,
    () => `${target}.sort()`,
    () =>
      `${target}.sortBy(x, ${draw.pick(['x', '-x', 'size(x)', 'string(x)', 'dyn(x)', '1', 'x == 1'])})`,
    () => `sets.contains(${target}, ${list(draw)})`,
    () => `sets.intersects(${target}, ${list(draw)})`,
    () => `sets.equivalent(${target}, ${list(draw)})`,
    () => `${target}.first()`,
    () => `${target}.transformList(i, v, ${draw.pick(['v', 'i', '[i]', 'v == v'])})`,
    () => `${target}.transformList(i, v, i > 0, v)`,
    () => `${target}.transformMap(i, v, v)`,
    () => `${target}.transformMap(i, v, i > 1, v)`,
    () => `${target}.transformMapEntry(i, v, {i: v})`,
    () => `${target}.transformMapEntry(i, v, {v: i})`,
    () => `${target}.existsOne(i, v, i == 1)`,
    () => `${target}.all(i, v, v == ${item})`,
  ]);
  return call();
}
