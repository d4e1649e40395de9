import { closest, didYouMean } from '@kubeadmit/base';

/** An option as a program declares it, such as commander's `Option`. */
export interface DeclaredOption {
  readonly long?: string | undefined | null;
  /** Whether the name begins with `no-` and the option switches something off. */
  readonly negate: boolean;
  /** An array if the option may be repeated. */
  readonly defaultValue?: unknown;
  isBoolean(): boolean;
}

/**
 * Returns the command-line arguments for the fields of a configuration file.
 *
 * Field names are option names, a list repeats its option, and `false` becomes an option with the prefix `no-` or
 * none.
 *
 * @throws Error that names the invalid field and the reason
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
    if (typeof value !== 'boolean') throw new Error(`\`${name}\` must be true or false`);
    if (value !== option.negate) return value ? [`--${name}`] : [`--no-${name}`];
    return [];
  }
  const isRepeatable = Array.isArray(option.defaultValue);
  const values = Array.isArray(value) && isRepeatable ? value : [value];
  return values.flatMap((each: unknown) => {
    if (typeof each === 'string' || typeof each === 'number') return [`--${name}`, String(each)];
    const wanted = isRepeatable ? 'a string, a number, or a list of them' : 'a string or a number';
    throw new Error(`\`${name}\` must be ${wanted}`);
  });
}
