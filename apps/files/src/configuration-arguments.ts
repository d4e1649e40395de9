import { closest, didYouMean } from '@kubeadmit/go/internal';

/** An option as a program declares it, such as commander's `Option`. */
export interface DeclaredOption {
  readonly long?: string | undefined | null;
  /** Its name begins with `no-`, and it switches something off. */
  readonly negate: boolean;
  /** A list where it may be repeated. */
  readonly defaultValue?: unknown;
  isBoolean(): boolean;
}

/**
 * The arguments that the fields of a configuration file stand for: their names are those of options, lists are options
 * that are repeated, and `false` is an option with `no-` before it, or none.
 *
 * @throws Error that says which field is wrong, and why
 */
export function configurationArguments(
  fields: object,
  options: readonly DeclaredOption[],
): readonly string[] {
  const byName = new Map(
    options.map((option) => [option.long?.replace(option.negate ? '--no-' : '--', ''), option]),
  );
  byName.delete('config');
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    const option = byName.get(name);
    if (option !== undefined) return argumentsOf(name, option, value);
    const meant = closest(
      name,
      [...byName.keys()].filter((each) => each !== undefined),
    );
    throw new Error(`unknown option \`${name}\`${didYouMean(meant)}`);
  });
}

function argumentsOf(name: string, option: DeclaredOption, value: unknown): readonly string[] {
  if (option.isBoolean() || option.negate) {
    if (typeof value !== 'boolean') throw new Error(`\`${name}\` is not true or false`);
    if (value !== option.negate) return value ? [`--${name}`] : [`--no-${name}`];
    return [];
  }
  const isRepeatable = Array.isArray(option.defaultValue);
  const values = Array.isArray(value) && isRepeatable ? value : [value];
  return values.flatMap((each: unknown) => {
    if (typeof each === 'string' || typeof each === 'number') return [`--${name}`, String(each)];
    const wanted = isRepeatable ? 'a text, a number, or a list of them' : 'a text or a number';
    throw new Error(`\`${name}\` is not ${wanted}`);
  });
}
