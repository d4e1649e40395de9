import { structType } from '@kubeadmit/cel/types';
import type { KindEnvironment } from '../cel/kind-environment.ts';
import type { CelToken } from '../cel/tokens.ts';
import { typeLabel } from '../fields/type-label.ts';
import { fieldNamed, wordsOf } from '../lookup/fields-of-type.ts';
import { objectType } from '../lookup/object-fields.ts';
import type { ServiceContext } from '../service/service-context.ts';

/** The type and the description of a token. */
export interface Meaning {
  readonly label: string;
  readonly words?: string | undefined;
}

/** The name or a field of a part of an apply configuration, `Object.spec{replicas: 1}`, or of a patch. */
export function structMeaning(
  context: ServiceContext,
  { kind }: KindEnvironment,
  token: CelToken,
  tokens: readonly CelToken[],
): Meaning | undefined {
  if (token.kind !== 'name') return undefined;
  const at = tokens.indexOf(token);
  let end = at;
  while (tokens[end + 1]?.text === '.' && tokens[end + 2]?.kind === 'name') end += 2;
  if (tokens[end + 1]?.text === '{') {
    const [root, ...path] = chainEnding(tokens, at);
    if (root === patchName)
      return {
        label: patchName,
        words: 'One operation of a JSON patch: `JSONPatch{op: "add", path: "/spec/x", value: 1}`.',
      };
    if (root !== 'Object') return undefined;
    const type = objectType(context, kind, path);
    const words = 'Part of an apply configuration: `Object{spec: Object.spec{replicas: 1}}`.';
    return { label: `${[root, ...path].join('.')}: ${type ? typeLabel(type) : 'any'}`, words };
  }
  const [root, ...path] = tokens[at + 1]?.text === ':' ? structAround(tokens, at) : [];
  if (root === undefined) return undefined;
  const owner =
    root === 'Object'
      ? objectType(context, kind, path)
      : root === patchName
        ? patchType
        : undefined;
  const info = owner && fieldNamed(owner, token.text, context);
  if (owner === undefined || info === undefined) return undefined;
  return {
    label: `${typeLabel(owner)}.${token.text}: ${typeLabel(info.type)}`,
    words: wordsOf(context, info),
  };
}

const patchName = 'JSONPatch';
const patchType = structType(patchName);

/** The names of a chain that ends at a token: `Object.spec`. */
function chainEnding(tokens: readonly CelToken[], at: number): readonly string[] {
  let start = at;
  while (tokens[start - 1]?.text === '.' && tokens[start - 2]?.kind === 'name') start -= 2;
  return tokens.slice(start, at + 1).flatMap(({ kind, text }) => (kind === 'name' ? [text] : []));
}

/** The name of the struct whose braces are around a token. */
function structAround(tokens: readonly CelToken[], at: number): readonly string[] {
  let depth = 0;
  for (let index = at - 1; index > 0; index--) {
    const text = tokens[index]?.text ?? '';
    if (['}', ']', ')'].includes(text)) depth++;
    else if (['{', '[', '('].includes(text) && depth-- === 0) {
      return text === '{' && tokens[index - 1]?.kind === 'name'
        ? chainEnding(tokens, index - 1)
        : [];
    }
  }
  return [];
}
