/** Invalid values in place of an argument; each call creates new ones. */
export const junk = {
  undefined: () => undefined,
  null: () => null,
  promise: () => Promise.resolve({}),
  text: () => 'nonsense',
  object: () => ({}),
  list: () => [],
  NaN: () => Number.NaN,
  number: () => 3,
  function: () => () => undefined,
  true: () => true,
} as const satisfies Readonly<Record<string, () => unknown>>;

/** The names of the wrong arguments. */
export type Kind = keyof typeof junk;

/** All of them. */
export const kinds: readonly Kind[] = Object.keys(junk) as Kind[];

/** The result of a call: an answer, a programming error (`TypeError`), or another error. */
export type Result =
  | { readonly outcome: 'answer' }
  | { readonly outcome: 'mistake' | 'error'; readonly message: string };

/** Calls a function, or creates an object of a class, and drains the results that it would return later. */
export async function call(callee: unknown, given: readonly unknown[]): Promise<Result> {
  try {
    const answer: unknown = isClass(callee)
      ? Reflect.construct(callee, given)
      : await Reflect.apply(callee as () => unknown, undefined, given);
    if (isGenerator(answer)) answer.next();
    return { outcome: 'answer' };
  } catch (error) {
    const { message } = error as Error;
    return { outcome: error instanceof TypeError ? 'mistake' : 'error', message };
  }
}

/** Whether something is made with `new`. */
function isClass(callee: unknown): callee is new (...given: unknown[]) => unknown {
  return Function.prototype.toString.call(callee).startsWith('class');
}

function isGenerator(value: unknown): value is Generator {
  return Object.prototype.toString.call(value) === '[object Generator]';
}

/** Texts of errors that JavaScript and libraries give by themselves. */
export const foreignWords =
  /Cannot (?:read|destructure|convert|mix|use)|is not (?:iterable|a function|a constructor)|Iterator value|Invalid value used|Too big integer|Class constructor/;
