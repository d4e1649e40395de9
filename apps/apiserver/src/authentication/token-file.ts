import { createHash, timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '@kubeadmit/engine';
import { readText } from '../configuration/read-text.ts';
import { UsageError } from '../configuration/usage-error.ts';
import type { UserTokens } from './authenticator.ts';

/** Tokens of a file as kube-apiserver's `--token-auth-file` has them: `token,user,uid,"group,group"` a line. */
export class TokenFile implements UserTokens {
  readonly #users: readonly (readonly [digest: Buffer, user: UserInfo])[];

  constructor(users: readonly (readonly [token: string, user: UserInfo])[]) {
    this.#users = users.map(([token, user]) => [digestOf(token), user]);
  }

  /** Rejects with a `UsageError` that names the line. */
  static async read(path: string): Promise<TokenFile> {
    const lines = (await readText(path)).split(/\r?\n/);
    const users = lines.flatMap((line, index): [string, UserInfo][] => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const fields = fieldsOf(line);
      const [token = '', username = '', uid = '', groups = ''] = fields.map((field) =>
        field.trim(),
      );
      if (fields.length < 3 || token === '') {
        throw new UsageError(
          `${path}:${index + 1}: expected at least a token, a user name and a uid`,
        );
      }
      const names = groups.split(',').map((name) => name.trim());
      return [[token, { username, uid, groups: names.filter((name) => name !== '') }]];
    });
    return new TokenFile(users);
  }

  async authenticate(token: string): Promise<UserInfo | undefined> {
    const digest = digestOf(token);
    // All tokens are compared, so that the time does not reveal a similar one.
    const [found] = this.#users.filter(([known]) => timingSafeEqual(known, digest));
    return found?.[1];
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The fields of a line of comma-separated values, quoted ones with `""` for a quote. */
function fieldsOf(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?=,|$)/g);
  return [...fields].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
