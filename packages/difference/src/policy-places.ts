import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { textsOf } from './covered-kinds.ts';
import { noteExpressionPlaces } from './expression-places.ts';
import { elements, Places } from './places.ts';
import { noteRulePlaces } from './rule-places.ts';
import { isPolicy } from './targets.ts';
import { variableTexts } from './variable-texts.ts';

/** The places that the policies look at. */
export function placesOf(policies: readonly JsonObject[]): Places {
  const places = new Places();
  for (const policy of policies) {
    const spec = objectOf(policy['spec']);
    if (!isPolicy(policy)) continue;
    places.addNames('name', resourceNamesIn(spec['matchConstraints']));
    // A policy of a namespace is about objects in it alone.
    const { namespace } = objectOf(policy['metadata']);
    if (typeof namespace === 'string') places.addNames('namespace', [namespace]);
    if (spec['rules'] !== undefined) {
      const rules = Array.isArray(spec['rules']) ? spec['rules'].filter(isObject) : [];
      for (const rule of rules) {
        noteRulePlaces(rule, places);
        noteImages(rule, places);
      }
      const conditions = expressionsIn(spec['webhookConfiguration']);
      noteExpressionPlaces(
        { variables: new Map(), expressions: conditions, parameters: [] },
        places,
      );
      continue;
    }
    noteImages(spec, places);
    // A CleanupPolicy is written as a rule is.
    if (spec['match'] !== undefined) {
      noteRulePlaces(spec, places);
      continue;
    }
    noteExpressionPlaces(
      {
        variables: variableTexts(spec),
        expressions: expressionsIn(spec),
        parameters: parameterValues(spec['paramKind'], policies),
      },
      places,
    );
  }
  return places;
}

/** Notes the images that a rule or policy verifies. */
function noteImages(source: JsonObject, places: Places): void {
  const items = ['verifyImages', 'matchImageReferences'].flatMap((name) => listOf(source[name]));
  const globs = items.filter(isObject).flatMap((item) => {
    const skipped = textsOf(item['skipImageReferences']);
    return [
      ...textsOf(item['imageReferences']),
      ...skipped,
      ...(item['glob'] === undefined ? [] : textsOf([item['glob']])),
    ];
  });
  const images = globs.map((glob) => glob.replace(/[*?]+/g, 'a'));
  for (const list of ['containers', 'initContainers']) {
    if (images.length > 0) places.add(['spec', list, elements, 'image'], images);
  }
}

// The scalars of the objects that may be parameters; texts of numbers are numbers, too.
function parameterValues(wanted: unknown, objects: readonly JsonObject[]): readonly unknown[] {
  if (!isObject(wanted)) return [];
  const { apiVersion, kind } = wanted;
  return objects
    .filter((each) => each['kind'] === kind && each['apiVersion'] === apiVersion)
    .flatMap(({ apiVersion: _version, kind: _kind, metadata: _metadata, ...rest }) =>
      scalarsIn(rest),
    );
}

function scalarsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(scalarsIn);
  if (isObject(value)) return Object.values(value).flatMap(scalarsIn);
  const isNumber = typeof value === 'string' && /^-?\d{1,15}$/.test(value);
  return value === null ? [] : isNumber ? [value, Number(value)] : [value];
}

function resourceNamesIn(constraints: unknown): readonly string[] {
  const rules = isObject(constraints) ? constraints['resourceRules'] : undefined;
  return (Array.isArray(rules) ? rules.filter(isObject) : []).flatMap(({ resourceNames }) =>
    textsOf(resourceNames),
  );
}

function expressionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' && /[eE]xpression$/.test(key) ? [item] : expressionsIn(item),
  );
}
