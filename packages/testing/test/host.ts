import { Source } from '@kubeadmit/manifest';
import type { TestHost } from '../src/kyverno-tests/test-reader.ts';

/** A host with files by name; a prefix of names is a folder, and `*` matches any name. */
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
