import type { Path } from '../cel/path.ts';
import { Unsupported } from '../notes/unsupported.ts';

/** @throws Unsupported for a number or boolean at a field of another type, which makes an object that servers reject. */
export function refuseOtherType(value: unknown, { known, key }: Path): void {
  const isOther =
    known.shape?.kind === 'bool'
      ? typeof value === 'number'
      : /^(?:int|float)/.test(known.shape?.kind ?? '') && typeof value === 'boolean';
  if (isOther) throw new Unsupported(`\`${key}\` has another type than the value in the patch`);
}
