import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { exportedNames } from './exported-names.ts';
import { placeOf } from './report.ts';

const ROOT = placeOf('');

/** A public name, or a member of its type, that nothing is said about, such as `Cluster.errors`. */
export interface BareMember {
  /** The folder of its package. */
  readonly folder: string;
  /** Its own name, after that of its type. */
  readonly name: string;
  /** Where it is declared, in the repository. */
  readonly path: string;
}

/**
 * The public names, members of types and alternatives of unions without a doc comment, of all packages except for
 * `internal`, in order.
 */
export function bareMembers(): { readonly bare: readonly BareMember[]; readonly all: number } {
  const bare: BareMember[] = [];
  let all = 0;
  for (const { folder, path, name, isDocumented, lines, kept } of publicDeclarations()) {
    const members = membersOf(lines).filter((member) => !kept.has(member.name));
    const told = [{ name: '', isDocumented }, ...members, ...alternativesOf(lines)];
    all += told.length;
    for (const each of told) {
      if (each.isDocumented) continue;
      bare.push({
        folder,
        name: `${name}${each.name && `.${each.name}`}`,
        path: relative(ROOT, path),
      });
    }
  }
  return { bare, all };
}

function* publicDeclarations(): Generator<Declaration & { readonly folder: string }> {
  for (const folder of readdirSync(`${ROOT}packages`)) {
    const manifest = `${ROOT}packages/${folder}/package.json`;
    if (!existsSync(manifest)) continue;
    const { exports = {}, private: isPrivate } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      readonly private?: boolean;
      readonly exports?: Readonly<Record<string, string | { '@kubeadmit/source'?: string }>>;
    };
    if (isPrivate === true) continue;
    const seen = new Set<string>();
    for (const [entry, target] of Object.entries(exports)) {
      const source = typeof target === 'object' ? target['@kubeadmit/source'] : undefined;
      if (source === undefined || entry === './unstable-internal') continue;
      const index = join(ROOT, 'packages', folder, source);
      for (const { name } of exportedNames(index, (path) => readFileSync(absolute(path), 'utf8'))) {
        const found = declarationOf(name, index);
        if (found === undefined || seen.has(`${found.path} ${found.name}`)) continue;
        seen.add(`${found.path} ${found.name}`);
        yield { ...found, folder };
      }
    }
  }
}

// `exportedNames` follows names by addresses, which begin with the folder.
function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

interface Declaration {
  readonly name: string;
  readonly path: string;
  readonly isDocumented: boolean;
  /** The lines inside an interface, a class or a type. */
  readonly lines: readonly string[];
  /** Members of a class that its interfaces already document. */
  readonly kept: ReadonlySet<string>;
}

/** Finds a declaration in its file; returns `undefined` for declarations of other packages. */
function declarationOf(name: string, path: string): Declaration | undefined {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const begins = new RegExp(
    `^(?:export )?(?:abstract )?(?:async )?(class|const|function|interface|type)\\*? ${name}\\b`,
  );
  const start = lines.findIndex((line) => begins.test(line));
  if (start >= 0) {
    const [, keyword = ''] = begins.exec(lines[start] ?? '') ?? [];
    const declared = { name, path, isDocumented: isToldOf(lines, start) };
    if (keyword === 'const' || keyword === 'function') {
      return { ...declared, lines: [], kept: new Set() };
    }
    const opened = lines.findIndex((line, at) => at >= start && /(?:\{\}?| =|;)$/.test(line));
    const heading = lines.slice(start, opened + 1).join(' ');
    const [, implemented = ''] = /\bimplements ([^{]*)/.exec(heading) ?? [];
    const kept = implemented
      .split(',')
      .map((each) => each.replace(/<.*/s, '').trim())
      .flatMap((each) => (each === '' ? [] : (declarationOf(each, path)?.lines ?? [])));
    return {
      ...declared,
      lines: indentedAfter(lines, opened),
      kept: new Set(membersOf(kept).flatMap((each) => (each.isDocumented ? [each.name] : []))),
    };
  }
  for (const [, names = '', from = ''] of text.matchAll(
    /^(?:export|import)(?: type)? \{([^}]*)\} from '(\.[^']+)';/gm,
  )) {
    for (const specifier of names.split(',')) {
      const [local = '', renamed = local] = specifier
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      if (renamed === name) return declarationOf(local, join(dirname(path), from));
    }
  }
  return undefined;
}

/** The lines after one until the next that is not indented, as the formatter leaves them. */
function indentedAfter(lines: readonly string[], opened: number): readonly string[] {
  const end = lines.findIndex((line, at) => at > opened && /^[^ ]/.test(line));
  return lines.slice(opened + 1, end < 0 ? undefined : end);
}

function isToldOf(lines: readonly string[], at: number): boolean {
  return lines[at - 1]?.trim().endsWith('*/') === true;
}

interface Told {
  readonly name: string;
  readonly isDocumented: boolean;
}

const member =
  /^ {2}(?:(?:readonly|static|get|set|async|abstract|declare) )*\*?(?:'([^']+)'|([A-Za-z_$][\w$]*)|(\[[^\]]+\])|(\())/;
const hidden =
  /^ {2}(?:private|protected|override|constructor\b|#|(?:static |readonly |get |set |async |\*)*#)/;

/** The public members in the lines of a type, as the formatter leaves them: each begins two blanks from the left. */
function membersOf(lines: readonly string[]): readonly Told[] {
  const found: Told[] = [];
  for (const [at, line] of lines.entries()) {
    if (hidden.test(line)) continue;
    const [, quoted, plain, index, call] = member.exec(line) ?? [];
    const name = quoted ?? plain ?? index ?? call;
    if (name === undefined) continue;
    // The first signature documents its overloads, and a getter documents its setter.
    if (found.at(-1)?.name === name) continue;
    found.push({ name, isDocumented: isToldOf(lines, at) });
  }
  return found;
}

/** Returns the object alternatives of a union, each of which is documented as one unit. */
function alternativesOf(lines: readonly string[]): readonly Told[] {
  return lines.flatMap((line, at) =>
    line.startsWith('  | {') ? [{ name: line.trim(), isDocumented: isToldOf(lines, at) }] : [],
  );
}
