import { isObject } from '@kubeadmit/apimachinery';
import { type Manifest, stringifyYaml } from '@kubeadmit/manifest';
import { commentsIn, commentsOfRule, type PlacedComment, withComments } from './comments.ts';
import type { Conversion } from './conversion.ts';

/**
 * Returns the resulting policies as YAML with the comments of the manifest, each in the first policy of its rule.
 */
export function conversionTexts(
  { objects, rules }: Conversion,
  manifest: Manifest,
): readonly string[] {
  const comments = commentsOf(manifest);
  return objects.map((object) => {
    const { kind, metadata } = object;
    const title = `${String(kind)}/${isObject(metadata) ? String(metadata['name']) : ''}`;
    const rule = rules.findIndex(({ results }) => results[0] === title);
    const text = stringifyYaml(object);
    return rule === -1 ? text : withComments(text, commentsOfRule(comments, rule));
  });
}

// The comments of the YAML that a policy was read from; items of lists keep theirs.
function commentsOf({ origin, path }: Manifest): readonly PlacedComment[] {
  const { source, start, end, index } = origin;
  const all = commentsIn(source.text.slice(start, end), index);
  return all
    .filter((each) => path.every((step, at) => each.path[at] === step))
    .map((each) => ({ ...each, path: each.path.slice(path.length) }));
}
