import type { Sample } from './samples.ts';

/**
 * Whether a server's problem with a sample may be due to the values that stand for unknown ones, such as a text that is no
 * quantity: not so where all values are constants, nor for unknown fields and values of a wrong type.
 */
export function isAboutSamples(problem: string, sample: Sample): boolean {
  return !/unknown field|cannot unmarshal/.test(problem) && !isConstant(sample);
}

function isConstant({ known, members, elements }: Sample): boolean {
  if (['text', 'data', 'result'].includes(known.kind)) return false;
  return [...members.values(), ...elements].every(isConstant);
}

/** Where the field stands that a text is about: an offset in the expression; undefined where the text names none. */
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
