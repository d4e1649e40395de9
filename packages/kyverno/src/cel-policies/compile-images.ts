import type { GroupVersionResource, JsonObject } from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import { CelError } from '@kubeadmit/cel';
import { boolType, dynType, listOf, stringType } from '@kubeadmit/cel/types';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import { templatePaths } from '../autogen/template-place.ts';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import { compileGlob } from '../images/glob.ts';
import { type CelProgram, type CompileProblem, ExpressionCompiler } from './compile-expressions.ts';
import { imageReferenceEnvironment } from './environment.ts';
import { type CompiledAttestor, compileAttestors } from './image-attestors.ts';

/** Whether a name of an image is selected; an error if this cannot be decided. */
export type ImageMatcher = (image: string) => boolean | CelError;

/** An attestation that a policy names: a statement of in-toto, or an artifact that refers to the image. */
export interface NamedAttestation {
  readonly form: 'intoto' | 'referrer' | 'none';
  /** The type of the predicate or of the artifact. */
  readonly type: string;
}

/** The parts of an ImageValidatingPolicy that other policies do not have. */
export interface CompiledImages {
  /** An image is selected if one of them matches, or if there is none. */
  readonly references: readonly ImageMatcher[];
  /** Returns the expressions that find images in objects of a resource, by the names of their groups. */
  readonly extractors: (resource: GroupVersionResource) => ReadonlyMap<string, CelProgram>;
  readonly attestors: readonly CompiledAttestor[];
  readonly attestations: ReadonlyMap<string, NamedAttestation>;
  /** Whether tags are replaced by digests. */
  readonly mutatesDigest: boolean;
  /** Whether images without a digest are refused. */
  readonly verifiesDigest: boolean;
  /** Whether images that no policy verifies are refused. */
  readonly isRequired: boolean;
}

/** Compiles `matchImageReferences` (Kyverno's `CompileMatchImageReferences`). */
export function compileReferences(
  spec: JsonObject,
  observe: ObserveEvaluation | undefined,
): { readonly references: readonly ImageMatcher[]; readonly problems: readonly CompileProblem[] } {
  const compiler = new ExpressionCompiler(imageReferenceEnvironment(), spec, observe);
  const references = objectsField(spec, 'matchImageReferences').flatMap((reference, index) => {
    const path = `spec.matchImageReferences[${index}]`;
    const glob = stringField(reference, 'glob');
    if (glob !== '') {
      const matches = compileGlob(glob);
      if (typeof matches !== 'string') return [matches];
      compiler.report(`${path}.glob`, glob, matches);
      return [];
    }
    const expression = stringField(reference, 'expression');
    if (expression === '') {
      compiler.report(path, '', 'either glob or expression must be set');
      return [];
    }
    const program = compiler.compile(expression, `${path}.expression`, [boolType]);
    return program === undefined ? [] : [matcherOf(program)];
  });
  return { references, problems: compiler.problems };
}

function matcherOf(program: CelProgram): ImageMatcher {
  return (image) => {
    const { value } = program.evaluate({ ref: image });
    if (value instanceof CelError) return value;
    return value === true;
  };
}

const imageLists = [listOf(stringType), dynType, listOf(dynType)];

/** Compiles the expressions that find images: those of the policy, and those for pods and their controllers. */
export function compileExtractors(
  spec: JsonObject,
  compiler: ExpressionCompiler,
): CompiledImages['extractors'] {
  const own = objectsField(spec, 'images').flatMap((extractor, index) => {
    const path = `spec.images[${index}].expression`;
    const program = compiler.compile(stringField(extractor, 'expression'), path, imageLists);
    return program === undefined ? [] : [[stringField(extractor, 'name'), program] as const];
  });
  const standard = new Map(
    podPaths.map((path) => [path, lazily(() => standardExtractors(path, compiler))]),
  );
  return (resource) => new Map([...(standard.get(podPathOf(resource))?.() ?? []), ...own]);
}

const podPaths = ['spec', ...Object.values(templatePaths).map((path) => `${path}.spec`)];

/** The path to the containers in the objects of a resource; empty for other resources. */
function podPathOf({ group, version, resource }: GroupVersionResource): string {
  if (version !== 'v1') return '';
  if (group === '' && resource === 'pods') return 'spec';
  const name = `${group}/${resource}`;
  if (name === 'batch/cronjobs') return `${templatePaths.cronjobs}.spec`;
  return controllers.has(name) ? `${templatePaths.defaults}.spec` : '';
}

const controllers: ReadonlySet<string> = new Set([
  'batch/jobs',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'apps/replicasets',
]);

function standardExtractors(
  path: string,
  compiler: ExpressionCompiler,
): readonly (readonly [string, CelProgram])[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((group) => {
    const expression = `(object != null ? object : oldObject).${path}.?${group}.orValue([]).map(e, e.image)`;
    const program = compiler.compile(expression, 'spec.images', imageLists, false);
    return program === undefined ? [] : [[group, program] as const];
  });
}

/** Compiles the attestors, and reads the settings. */
export function compileImages(
  spec: JsonObject,
  compiler: ExpressionCompiler,
  { references, extractors }: Pick<CompiledImages, 'references' | 'extractors'>,
): CompiledImages {
  const settings = objectField(spec, 'validationConfigurations') ?? {};
  return {
    references,
    extractors,
    attestors: compileAttestors(spec, compiler),
    attestations: new Map(
      objectsField(spec, 'attestations').map((each) => [
        stringField(each, 'name'),
        readAttestation(each),
      ]),
    ),
    mutatesDigest: field(settings, 'mutateDigest') !== false,
    verifiesDigest: field(settings, 'verifyDigest') !== false,
    isRequired: field(settings, 'required') !== false,
  };
}

function readAttestation(source: JsonObject): NamedAttestation {
  const statement = objectField(source, 'intoto');
  if (statement !== undefined) return { form: 'intoto', type: stringField(statement, 'type') };
  const artifact = objectField(source, 'referrer');
  if (artifact !== undefined) return { form: 'referrer', type: stringField(artifact, 'type') };
  return { form: 'none', type: '' };
}
