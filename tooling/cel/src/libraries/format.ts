import { phrases } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

const values: readonly string[] = phrases`
  1  -5  9223372036854775807  255u  2.5  1234567.891  -0.0001  0.125  1e300  1e-7
  123456789012345680.0  "x"  "NaN"  "Infinity"  "-Infinity"  "é\n"  true  null  b"ab"  b"\xff"
  [1, 2]  ["a", "b"]  [2.5]  {"b": 1, "a": 2}  {1: "x"}  {true: null}  [[1], [2]]  [b"a"]
  [duration("90s")]  duration("1h30m")  timestamp("2023-01-02T03:04:05.5Z")
  [timestamp("2023-01-02T03:04:05Z")]  type(1)  int  list  {"k": [1.5, "v"]}  optional.of(1)
  {2.5: 1}  [double("NaN")]  [-double("Infinity")]  quantity("1")  -0.0  99999.5  0.5  1.5  1e21
  12345.678901234567  5e-324  1.7976931348623157e308
`;

function clause(draw: Draw): string {
  const precision = draw.pick(['', '', '', '.0', '.1', '.2', '.3', '.10', '.25', '.']);
  const verb = draw.pick(['s', 's', 'd', 'f', 'f', 'e', 'b', 'x', 'X', 'o', '%', 'q', 'é', '']);
  return `%${precision}${verb}`;
}

function argument(draw: Draw): string {
  const value = draw.pick(values);
  return draw.chance(0.4) ? `dyn(${value})` : value;
}

function double(draw: Draw): number {
  const digits = Number(`${draw.digits(8) || '0'}.${draw.digits(draw.pick([1, 3, 12]))}`);
  return digits * 10 ** (draw.below(draw.pick([3, 12, 40])) - draw.below(draw.pick([3, 12, 40])));
}

/** Calls of `format()`. */
export function formatFamily(draw: Draw): string {
  if (draw.chance(0.4)) {
    const precision = draw.pick(['', `.${draw.below(30)}`]);
    const verb = draw.pick(['f', 'e']);
    const number = draw.variable({ $double: String(double(draw) * draw.pick([1, -1])) });
    return `"%${precision}${verb}|%s".format([${number}, ${number}])`;
  }
  const format = draw.many(3, () =>
    draw.pick([() => clause(draw), () => draw.pick(['a', ' ', 'é'])])(),
  );
  const clauses = format.replaceAll('%%', '').split('%').length - 1;
  const size = Math.max(0, clauses + draw.pick([0, 0, 0, 0, 0, -1, 1]));
  const list = `[${Array.from({ length: size }, () => argument(draw)).join(', ')}]`;
  return `${draw.value(format)}.format(${draw.chance(0.2) ? `dyn(${list})` : list})`;
}
