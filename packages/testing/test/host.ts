import type { TestHost } from '@kubeadmit/check/internal';
import { Source } from '@kubeadmit/manifest';

/** A host whose files are texts by their names; folders are what their names begin with, `*` is any name. */
export function hostOf(files: Readonly<Record<string, string>>): TestHost {
  return {
    read: async (path) => {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(?:/|$)`);
      const names = Object.keys(files).filter((name) => pattern.test(name) || path === '.');
      const sources = names.map((name) => new Source(name, files[name] ?? ''));
      const problems =
        names.length > 0 ? [] : [{ file: path, message: 'no such file or directory' }];
      return { sources, problems };
    },
    warn: () => {},
    clock: () => 0,
  };
}
