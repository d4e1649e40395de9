import { dirname, join, normalize } from 'node:path/posix';

/** A source file with its path from the root of the repository. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const sourcePath = /^((?:packages|apps|tooling)\/[^/]+)\/src\/.*\.tsx?$/;
const relativeImport = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Returns the folders that import each other both ways, as `one <> other`, by package. */
export function folderPairs(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const imports = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const [, home = ''] = sourcePath.exec(path) ?? [];
    if (home === '') continue;
    const folder = dirname(path);
    for (const [, target = ''] of text.matchAll(relativeImport)) {
      const other = dirname(normalize(join(folder, target)));
      if (other === folder || !other.startsWith(`${home}/src`)) continue;
      const edges = imports.get(home) ?? new Set();
      imports.set(home, edges.add(`${folder} ${other}`));
    }
  }
  return new Map([...imports].map(([home, edges]) => [home, pairsOf(edges)]));
}

function pairsOf(edges: ReadonlySet<string>): readonly string[] {
  return [...edges].flatMap((edge) => {
    const [one = '', other = ''] = edge.split(' ');
    return one < other && edges.has(`${other} ${one}`) ? [`${one} <> ${other}`] : [];
  });
}
