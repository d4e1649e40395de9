import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { textsOf } from './covered-kinds.ts';
import { noteExpressionPlaces } from './expression-places.ts';
import { Places } from './places.ts';
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
    if (spec['rules'] !== undefined) {
      const rules = Array.isArray(spec['rules']) ? spec['rules'].filter(isObject) : [];
      for (const rule of rules) noteRulePlaces(rule, places);
      const conditions = expressionsIn(spec['webhookConfiguration']);
      noteExpressionPlaces(
        { variables: new Map(), expressions: conditions, parameters: [] },
        places,
      );
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
