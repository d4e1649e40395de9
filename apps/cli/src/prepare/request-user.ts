import type { RequestUser } from '@kubeadmit/chain';
import { CommandFailure } from '../process/terminal.ts';
import type { InputOptions } from './options.ts';

/**
 * The user of `--as`, `--as-group`, `--as-uid` and `--as-extra`.
 *
 * @throws CommandFailure for extra values that are not of the form key=value.
 */
export function requestUser({ as, asGroup, asUid, asExtra }: InputOptions): RequestUser {
  return { name: as, groups: asGroup, uid: asUid, extra: asExtra && extraOf(asExtra) };
}

function extraOf(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new CommandFailure(`invalid --as-extra \`${pair}\`; expected key=value`);
    // Servers read such keys from a header, in lower case.
    const key = pair.slice(0, at).toLowerCase();
    extra.set(key, [...(extra.get(key) ?? []), pair.slice(at + 1)]);
  }
  return Object.fromEntries(extra);
}
