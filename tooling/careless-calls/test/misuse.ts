import { call, foreignWords, junk, type Kind, kinds } from './junk.ts';
import { type Argument, argumentsOf, type RightCall } from './right-call.ts';

/**
 * Calls a function with valid arguments except one, which is an invalid value of each kind, and returns the problems
 * of the answers.
 *
 * @param names what its errors say: its name, or what is named in place of it
 */
export async function wrongAnswers(
  callee: unknown,
  names: readonly string[],
  right: RightCall,
): Promise<readonly string[]> {
  const given = argumentsOf(right);
  const values = given.map(({ value }) => value);
  const problems: string[] = [];
  const attempt = async (what: string, position: number, value: unknown, mayAnswer: boolean) => {
    const result = await call(callee, values.with(position, value));
    const where = `argument ${position + 1}${what}`;
    if (result.outcome === 'answer') {
      if (!mayAnswer) problems.push(`${where} is answered`);
      return;
    }
    const { outcome, message } = result;
    const isTold = outcome === 'error' || mayAnswer || names.some((name) => message.includes(name));
    if (!isTold || foreignWords.test(message)) problems.push(`${where}: ${message}`);
  };
  for (const [position, argument] of given.entries()) {
    for (const kind of kinds) {
      await attempt(` as ${kind}`, position, junk[kind](), isTaken(argument, kind));
    }
    for (const [what, value, mayAnswer] of variantsOf(argument)) {
      await attempt(what, position, value, mayAnswer);
    }
  }
  return problems;
}

/** Whether the parameter accepts a kind of junk, judging by a valid argument. */
function isTaken({ value, isOptional, takesAnything }: Argument, kind: Kind): boolean {
  return takesAnything || kind === kindOf(value) || (isOptional && kind === 'undefined');
}

const simpleKinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  number: 'number',
  function: 'function',
  boolean: 'true',
};

function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return 'list';
  const isPlain = value instanceof Object && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? 'object' : simpleKinds[typeof value];
}

type Variant = readonly [what: string, value: unknown, mayAnswer: boolean];

/** Returns variants that are invalid inside a valid argument: list elements, and misspelled or mistyped options. */
function variantsOf({ value, areOptions }: Argument): readonly Variant[] {
  if (Array.isArray(value)) {
    return kinds.map((kind): Variant => [` with ${kind} in it`, [junk[kind]()], true]);
  }
  if (!areOptions) return [];
  const members = Object.entries(value as object);
  return [
    [' with a slip', { ...(value as object), nonsense: true }, false],
    ...members.flatMap(([name, member]) =>
      kinds
        .filter((kind) => kind !== 'undefined' && kind !== kindOf(member))
        .map((kind): Variant => {
          return [
            `, \`${name}\` as ${kind}`,
            { ...(value as object), [name]: junk[kind]() },
            false,
          ];
        }),
    ),
  ];
}
