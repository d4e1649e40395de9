import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LARGEST = 5_000_000;

interface Rule {
  /** The requirement, for messages. */
  readonly name: string;
  /** The files that it is about. */
  readonly concerns: (path: string) => boolean;
  /** A pattern that the files must not contain. */
  readonly forbidden: RegExp;
}

const isLibrarySource = (path: string): boolean => /^packages\/[^/]+\/src\/.*\.ts$/.test(path);
const isText = (path: string): boolean => path !== 'pnpm-lock.yaml' && !path.endsWith('.gz');

/** Matches absolute paths below the folders; the pattern is built from parts so that it does not find itself. */
function pathsUnder(...folders: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w.*})\\]-])/(?:${folders.join('|')})/\\w`);
}

const RULES: readonly Rule[] = [
  {
    name: 'libraries import nothing of Node',
    concerns: isLibrarySource,
    forbidden: /(?:from|import|require)\s*\(?\s*['"]node:/,
  },
  {
    name: 'what is published knows nothing that is for tests',
    concerns: (path) => /^(?:packages|apps)\/[^/]+\/src\//.test(path),
    forbidden: /['"]@kubeadmit\/test-support['"]/,
  },
  {
    name: 'libraries make no code at run time',
    concerns: isLibrarySource,
    forbidden: /\beval\s*\(|\bnew\s+Function\b|(?<![\w.])Function\s*\(\s*['"`]/,
  },
  {
    name: 'libraries have no clock of their own',
    concerns: isLibrarySource,
    forbidden: /\bDate\.now\s*\(|\bnew Date\(\)|\bperformance\.now\s*\(/,
  },
  {
    // `readText` and `readBytes` have limits. Streams are read in pieces, and the library is part of the program.
    name: 'programs read files by `@kubeadmit/files`',
    concerns: (path) =>
      /^apps\/(?:apiserver|cli|vscode|webhook)\/src\//.test(path) &&
      !/\/(?:input\/streams|init\/library)\.ts$/.test(path),
    forbidden:
      /import \{[^}]*\b(?:readFile(?:Sync)?|createReadStream)\b[^}]*\} from 'node:fs(?:\/promises)?'/,
  },
  {
    // `ServiceAccount`, `Priority`, `RuntimeClass` and `ResourceQuota` are also other words.
    name: 'admission plugins are listed in `packages/admission` alone',
    concerns: (path) =>
      /^(?:packages|apps)\/[^/]+\/src\//.test(path) && !path.startsWith('packages/admission/'),
    forbidden:
      /['"](?:NamespaceLifecycle|LimitRanger|TaintNodesByCondition|PodSecurity|Default(?:TolerationSeconds|StorageClass|IngressClass)|StorageObjectInUseProtection|PodGroupProtection|PersistentVolumeClaimResize|Certificate(?:Approval|Signing|SubjectRestriction)|ClusterTrustBundleAttest|PodTopologyLabels|NodeDeclaredFeatureValidator|PodResizeValidator|NamespaceExists|AlwaysPullImages|PodNodeSelector|PodTolerationRestriction|ExtendedResourceToleration|NodeRestriction|EventRateLimit|AlwaysAdmit|AlwaysDeny)['"]/,
  },
  {
    name: 'images and actions are named by digest',
    concerns: (path) =>
      /(?:^|\/)(?:Containerfile|Dockerfile|action\.yml)$|^\.github\/workflows\/|^apps\/cli\/src\/init\/templates\.ts$/.test(
        path,
      ),
    forbidden:
      /^FROM (?!scratch\b)(?!\S+@sha256:[0-9a-f]{64}(?:\s|$))|^\s*(?:- )?(?:image|container): (?!\S+@sha256:[0-9a-f]{64}$)|\buses: (?!\.\/)(?!\S+@[0-9a-f]{40}\b)/m,
  },
  {
    name: 'relative imports name the file',
    concerns: (path) => /^(?:packages|apps|conformance|tooling)\/.*\.ts$/.test(path),
    forbidden: /^(?:import|export)\b[^'"]*from\s+'\.{1,2}\/(?![^']*\.(?:tsx?|js|json|mjs)')[^']*'/m,
  },
  {
    name: 'a body of one short statement stands on its line, without braces',
    concerns: (path) => /\.(?:ts|js|mjs)$/.test(path) && !path.includes('/src/data/'),
    forbidden:
      /^( {0,12})(?:if|for|while) \([^\n]{0,60}\) \{\n\1 {2}(?:return|throw|continue|break)\b[^\n]{0,20};\n\1\}\n/m,
  },
  {
    name: 'private members are private in JavaScript too: `#name`',
    concerns: (path) => /^(?:packages|apps|conformance|tooling)\/.*\.ts$/.test(path),
    forbidden: /^\s+(?:static |override )*private (?!constructor\b)/m,
  },
  {
    name: 'no path of one machine',
    concerns: (path) => isText(path) && !path.endsWith('.ndjson'),
    forbidden: pathsUnder('root', 'home/[a-z]+', 'Users/[A-Za-z]+', 'work', 'tmp/[a-z]+'),
  },
  {
    name: 'no registry but the public one',
    concerns: isText,
    forbidden:
      /registry\.npmjs\.(?!org)|_auth(?=Token=(?!rehearsal))|https?:\/\/(?:npm|registry)\.(?!npmjs\.org)/,
  },
];

/** Files that git tracks or would track, with their text; untracked files count too. */
function files(): { readonly path: string; readonly text: string }[] {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return list
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))
    .filter((path) => statSync(join(ROOT, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

const tracked = files();

describe('house rules', () => {
  for (const { name, concerns, forbidden } of RULES) {
    test(name, () => {
      const broken = tracked.flatMap(({ path, text }) => {
        if (!concerns(path)) return [];
        const found = forbidden.exec(text);
        if (found === null) return [];
        return [`${path}:${text.slice(0, found.index).split('\n').length}: ${found[0]}`];
      });
      expect(broken).toEqual([]);
    });
  }

  test('no file is too large', () => {
    expect(tracked.filter(({ text }) => text.length > LARGEST).map(({ path }) => path)).toEqual([]);
  });
});
