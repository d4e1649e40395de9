/** Reads the text of a source file. */
export type ReadSource = (path: string) => string;

/** The kind of declaration that a name refers to. */
export type NameKind = 'class' | 'const' | 'function' | 'type';

export interface ExportedName {
  readonly name: string;
  readonly kind: NameKind;
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(class|const|function|interface|type)\*? (\w+)/gm;
const list = /^export (type )?\{([^}]*)\}(?: from '([^']+)')?;/gm;

/**
 * The exported names of a source file, sorted, each with its declaration.
 *
 * @throws Error for forms of exports that the packages do not use, and for names that are declared nowhere.
 */
export function exportedNames(path: string, read: ReadSource): readonly ExportedName[] {
  const source = read(path);
  const other = /^export (?:\*|default|=|let|var|enum|namespace).*$/m.exec(source);
  if (other !== null) throw new Error(`${path}: ${other[0]} is no export that can be listed`);
  const names: ExportedName[] = [];
  for (const [, keyword = '', name = ''] of source.matchAll(declaration)) {
    names.push({ name, kind: kindOf(keyword) });
  }
  for (const [, onlyTypes, specifiers = '', from] of source.matchAll(list)) {
    for (const specifier of specifiers.split(',').map((text) => text.trim())) {
      if (specifier === '') continue;
      const [local = '', name = local] = specifier.replace(/^type /, '').split(' as ');
      const isType = onlyTypes !== undefined || specifier.startsWith('type ');
      const kind = isType ? 'type' : declaredKind(local, from, { path, source, read });
      names.push({ name, kind });
    }
  }
  return names.sort((left, right) => (left.name < right.name ? -1 : 1));
}

interface Place {
  readonly path: string;
  readonly source: string;
  readonly read: ReadSource;
}

function kindOf(keyword: string): NameKind {
  return keyword === 'interface' ? 'type' : (keyword as NameKind);
}

function declaredKind(name: string, from: string | undefined, place: Place): NameKind {
  const { path, source, read } = place;
  if (from !== undefined) {
    const target = new URL(from, `file:///${path}`).pathname.slice(1);
    const found = exportedNames(target, read).find((each) => each.name === name);
    if (found === undefined) throw new Error(`${target} does not export ${name}, as ${path} says`);
    return found.kind;
  }
  const local = new RegExp(
    `^(?:abstract )?(?:async )?(class|const|function|interface|type)\\*? ${name}\\b`,
    'm',
  ).exec(source);
  if (local === null) throw new Error(`${path} does not declare ${name}`);
  return kindOf(local[1] ?? '');
}
