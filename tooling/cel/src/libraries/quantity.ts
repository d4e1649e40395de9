import { words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

const suffixes = ['', '', ...words('n u m k M G T P E Ki Mi Gi Ti Pi Ei E3 K i')];

function text(draw: Draw): string {
  const sign = draw.pick(['', '', '', '+', '-']);
  const fraction = draw.pick(['', '', '', '.', `.${draw.digits(draw.pick([2, 12]))}`]);
  const exponent = `e${draw.pick(['', '-', '+'])}${draw.digits(2)}`;
  const suffix = draw.chance(0.15) ? exponent : draw.pick(suffixes);
  const whole = draw.many(2, () => '0') + draw.digits(draw.pick([2, 4, 8, 20]));
  // Longer exponents make numbers that take the oracle minutes to write out.
  return draw.mutate(sign + whole + fraction + suffix).replace(/([eE][-+]?\d{3})\d+/, '$1');
}

function quantity(draw: Draw): string {
  const parsed = `quantity(${draw.rarelyWrong(draw.value(text(draw)))})`;
  switch (draw.below(4)) {
    case 0:
      return `${parsed}.${draw.pick(['add', 'sub'])}(quantity(${draw.value(text(draw))}))`;
    case 1:
      return `${parsed}.${draw.pick(['add', 'sub'])}(${draw.value(draw.below(2000) - 1000)})`;
    default:
      return parsed;
  }
}

/** Calls of the functions on quantities. */
export function quantityFamily(draw: Draw): string {
  const q = quantity(draw);
  const other = (): string => draw.rarelyWrong(quantity(draw));
  const call = draw.pick([
    () => q,
    () => `isQuantity(${draw.value(text(draw))})`,
    () => `sign(${q})`,
    () => `${q}.isInteger()`,
    () => `${q}.asInteger()`,
    () => `${q}.asApproximateFloat()`,
    () => `${q}.compareTo(${other()})`,
    () => `${q}.isLessThan(${other()})`,
    () => `${q}.isGreaterThan(${other()})`,
    () => `${q} == ${other()}`,
    () => `${q} != ${other()}`,
    () => `[${q}].map(x, [x.compareTo(${other()}), sign(x)])`,
    () => `[${q}].exists(x, x.isLessThan(${other()}) && x.isInteger())`,
  ]);
  return call();
}
