import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { readYaml } from '@kubeadmit/go';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { decodePatch } from '../mutate/json-patch.ts';
import { type AnchorModifier, parseAnchor } from '../patterns/anchor.ts';
import type { Placed } from './conditions.ts';

/** The first anchor of a pattern that may not stand there (`common.ValidatePattern`). */
export function patternProblem(
  pattern: unknown,
  path: string,
  isSupported: (modifier: AnchorModifier) => boolean = (modifier) => modifier !== '+',
): Placed | undefined {
  if (Array.isArray(pattern)) {
    for (const [at, item] of pattern.entries()) {
      const problem = patternProblem(item, `${path}${at}/`, isSupported);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (!isObject(pattern)) return undefined;
  for (const key of Object.keys(pattern)) {
    const value = pattern[key];
    const place = `${path}/${key}`;
    const message = anchorProblem(key, value, isSupported);
    if (message !== undefined) return { place, message };
    const problem = patternProblem(value, place, isSupported);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function anchorProblem(
  key: string,
  value: unknown,
  isSupported: (modifier: AnchorModifier) => boolean,
): string | undefined {
  const anchor = parseAnchor(key);
  if (anchor === undefined) return undefined;
  if (!isSupported(anchor.modifier)) return `unsupported anchor ${key}`;
  if (anchor.modifier !== '^') return undefined;
  if (!Array.isArray(value)) return 'existence anchor should have value of type list';
  return value.length === 0 ? 'existence anchor: should have at least one value' : undefined;
}

/** Whether labels and annotations in the patterns and patches of a rule are strings (`isLabelAndAnnotationsString`). */
export function hasTextLabels(rule: JsonObject): boolean {
  const validate = objectField(rule, 'validate') ?? {};
  const loops = field(validate, 'foreach');
  const pattern = field(validate, 'pattern');
  if (loops !== undefined) {
    for (const loop of objectsField(validate, 'foreach')) {
      const own = field(loop, 'pattern');
      if (isObject(own)) return metadataIsText(own);
    }
  } else if (isObject(pattern)) {
    return metadataIsText(pattern);
  } else {
    const anyPattern = field(validate, 'anyPattern');
    if (anyPattern !== undefined && !Array.isArray(anyPattern)) return false;
    const patterns = Array.isArray(anyPattern) ? anyPattern.filter(isObject) : [];
    if (!patterns.every(metadataIsText)) return false;
  }
  const mutate = objectField(rule, 'mutate') ?? {};
  const patches =
    field(mutate, 'foreach') === undefined
      ? [field(mutate, 'patchStrategicMerge')]
      : objectsField(mutate, 'foreach').map((loop) => field(loop, 'patchStrategicMerge'));
  const patch = patches.find(isObject);
  return !isObject(patch) || metadataIsText(patch);
}

function metadataIsText(pattern: JsonObject): boolean {
  const metadata = objectField(pattern, 'metadata');
  if (metadata !== undefined) return labelsAreText(metadata);
  if (!Object.hasOwn(pattern, 'spec')) return true;
  const template = objectField(objectField(pattern, 'spec') ?? {}, 'template') ?? {};
  return labelsAreText(objectField(template, 'metadata') ?? {});
}

function labelsAreText(metadata: JsonObject): boolean {
  return ['labels', 'annotations'].every((name) =>
    Object.values(objectField(metadata, name) ?? {}).every((value) => typeof value === 'string'),
  );
}

/** Whether the patterns and patches of a rule are about metadata alone (`ruleOnlyDealsWithResourceMetaData`). */
export function concernsMetadataOnly(rule: JsonObject): boolean {
  const mutate = objectField(rule, 'mutate') ?? {};
  const validate = objectField(rule, 'validate') ?? {};
  const anyPattern = field(validate, 'anyPattern');
  if (anyPattern !== undefined && !Array.isArray(anyPattern)) return false;
  const isMetadata = (pattern: unknown): boolean =>
    !isObject(pattern) || Object.keys(pattern).every((key) => key === 'metadata');
  return (
    isMetadata(field(mutate, 'patchStrategicMerge')) &&
    patchPaths(stringField(mutate, 'patchesJson6902')).every((path) =>
      path.startsWith('/metadata'),
    ) &&
    isMetadata(field(validate, 'pattern')) &&
    (anyPattern ?? []).every(isMetadata)
  );
}

/** Only patches in JSON are looked into. */
function patchPaths(patch: string): readonly string[] {
  if (!patch.trimStart().startsWith('[')) return [];
  const read = readYaml(patch);
  const operations = 'error' in read ? [] : decodePatch(read.value);
  return operations instanceof Failure ? [] : operations.map(({ path }) => String(path));
}
