import type { Sample } from './samples.ts';

/**
 * Whether a server's problem with a sample may be due to the values that represent unknown ones, such as a string
 * that is not a quantity: never if all values are constants, nor for unknown fields and values of a wrong type.
 */
export function isAboutSamples(problem: string, sample: Sample): boolean {
  return !/unknown field|cannot unmarshal/.test(problem) && !isConstant(sample);
}

function isConstant({ known, members, elements }: Sample): boolean {
  if (['text', 'data', 'result'].includes(known.kind)) return false;
  return [...members.values(), ...elements].every(isConstant);
}

/** Returns the offset of the field that a message names, or `undefined` if it names none. */
export function positionIn(sample: Sample, problem: string): number | undefined {
  const unknown = /unknown field "([^"]+)"/.exec(problem)?.[1]?.split('.').at(-1);
  const mistyped = /Go struct field (\S+) of type/.exec(problem)?.[1]?.split('.').at(-1);
  const name = unknown ?? mistyped;
  return name === undefined ? undefined : findMember(sample, name);
}

function findMember(sample: Sample, name: string): number | undefined {
  const own = sample.members.get(name);
  if (own !== undefined) {
    return 'name' in own.holder
      ? (own.holder as { position: number }).position
      : own.known.position;
  }
  for (const each of [...sample.members.values(), ...sample.elements]) {
    const found = findMember(each, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
