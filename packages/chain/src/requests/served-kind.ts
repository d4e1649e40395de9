import { member, memberList } from '@kubeadmit/apimachinery';

/** A kind that a cluster serves. */
export interface ServedKind {
  /** Empty for the core group. */
  readonly group: string;
  /** The version. */
  readonly version: string;
  /** The kind. */
  readonly kind: string;
  /** The plural by which requests name it, for example `pods`. */
  readonly resource: string;
}

/** The kinds that a match of a rule names, in `any`, `all` and `resources`. */
export function kindsOf(match: unknown): readonly string[] {
  const own = memberList(member(match, 'resources'), 'kinds').map(String);
  const below = ['any', 'all'].flatMap((field) => memberList(match, field).flatMap(kindsOf));
  return [...own, ...below];
}
