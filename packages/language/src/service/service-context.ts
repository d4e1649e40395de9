import type { Schemas } from '@kubeadmit/schemas';
import { type Dialect, policyDialect, ruleDialect } from '../cel/dialect.ts';
import type { KindEnvironment } from '../cel/kind-environment.ts';
import { environmentsOf } from '../cel/policy-environments.ts';
import { FieldTypes } from '../fields/field-types.ts';
import type { JsonSchemaTypes } from '../fields/json-schema-types.ts';
import { type ObjectView, objectsOf } from '../policy/object-view.ts';
import type { PolicyView } from '../policy/policy-view.ts';
import type { Part } from '../workspace/part.ts';
import type { CompletionItem, Hover, Position } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { DeprecatedField, Edit } from './deprecated-field.ts';
import type { Proposal } from './proposal.ts';

type Dialects = typeof import('../cel/kyverno-dialect.ts');
type Tables = typeof import('../fields/table-types.ts');

/** Texts about fields, functions and variables; those of Kyverno after one of its files was prepared. */
export type Words = PolicyWords & Partial<KyvernoWords>;

type PolicyWords = typeof import('../words/policy-words.ts');
type KyvernoWords = typeof import('../words/kyverno-words.ts');

/** The additional parts for files of Kyverno. */
export interface KyvernoPart extends Dialects, Tables {
  repair(
    context: ServiceContext,
    place: DeprecatedField,
  ): { readonly title: string; readonly edits: readonly Edit[] } | undefined;
  kyvernoValues(
    context: ServiceContext,
    object: ObjectView,
    path: readonly (string | number)[],
    way: string,
  ): readonly Proposal[] | undefined;
  completeTemplate(
    context: ServiceContext,
    document: TextDocument,
    part: Part,
    offset: number,
  ): readonly CompletionItem[] | undefined;
  hoverTemplate(
    context: ServiceContext,
    document: TextDocument,
    position: Position,
  ): Hover | undefined;
}

interface Loaded {
  readonly words: Words;
  readonly suites: JsonSchemaTypes | undefined;
}

export interface ContextParts {
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** Loads the vocabulary, and the types of test suites if they are known. */
  readonly load: () => Promise<Loaded>;
  readonly loadKyverno: () => Promise<readonly [KyvernoPart, KyvernoWords]>;
}

/** The state that features share: the files, the kinds, and results computed from them. */
export class ServiceContext {
  readonly workspace: Workspace;
  readonly clock: () => number;
  readonly #parts: ContextParts;
  readonly #dialects: Map<string, Dialect> = new Map();
  #made: { readonly schemas: Schemas; readonly types: FieldTypes } | undefined;
  #environments: WeakMap<PolicyView, readonly KindEnvironment[]> = new WeakMap();
  #loaded: Loaded | undefined;
  #kyverno: KyvernoPart | undefined;

  constructor(workspace: Workspace, parts: ContextParts) {
    this.workspace = workspace;
    this.clock = parts.clock;
    this.#parts = parts;
  }

  /** The texts about fields, functions and variables; available once a question was prepared. */
  get words(): Words {
    if (this.#loaded === undefined) throw new Error('a question that was not prepared');
    return this.#loaded.words;
  }

  /** The part for files of Kyverno; available once one of them was prepared. */
  get kyverno(): KyvernoPart | undefined {
    return this.#kyverno;
  }

  /** Loads the code for a file: Kyverno's part only if the file contains resources of Kyverno. */
  async prepare({ text, parts }: TextDocument): Promise<void> {
    this.#loaded ??= await this.#parts.load();
    // Groups may be written by escapes.
    const hasKyverno =
      text.includes('kyverno.io') ||
      parts.flatMap(objectsOf).some(({ group }) => group.endsWith('kyverno.io'));
    if (!hasKyverno || this.#kyverno !== undefined) return;
    const [kyverno, words] = await this.#parts.loadKyverno();
    this.#loaded = { ...this.#loaded, words: { ...this.#loaded.words, ...words } };
    this.#kyverno = kyverno;
  }

  /** Returns the functions and names of a policy's expressions; its file must be prepared. */
  dialectOf({ language, isMutating, object }: PolicyView): Dialect {
    const isNamespaced = object.kind.startsWith('Namespaced');
    const isAboutImages = object.kind.includes('Image');
    const key = `${language} ${isMutating} ${isNamespaced} ${isAboutImages}`;
    const known = this.#dialects.get(key);
    if (known !== undefined) return known;
    const made = this.#makeDialect(language, isMutating, isNamespaced, isAboutImages);
    this.#dialects.set(key, made);
    return made;
  }

  #makeDialect(
    language: PolicyView['language'],
    isMutating: boolean,
    isNamespaced: boolean,
    isAboutImages: boolean,
  ): Dialect {
    const { words } = this;
    const { minor } = this.workspace.schemas;
    switch (language) {
      case 'kyverno':
        return this.#preparedKyverno().kyvernoDialect(
          this.#kyvernoWords(),
          isNamespaced,
          isAboutImages,
        );
      case 'rule':
        return this.#preparedKyverno().kyvernoRuleDialect(this.#kyvernoWords());
      case 'definition':
        return ruleDialect(minor, words);
      default:
        return policyDialect(minor, words, isMutating);
    }
  }

  #preparedKyverno(): KyvernoPart {
    if (this.#kyverno === undefined) throw new Error('a file of Kyverno that was not prepared');
    return this.#kyverno;
  }

  /** The words with the functions of Kyverno's policies. */
  #kyvernoWords(): Words {
    const { functionWords, kyvernoFunctionWords } = this.words;
    return { ...this.words, functionWords: { ...functionWords, ...kyvernoFunctionWords } };
  }

  get schemas(): Schemas {
    return this.#current().schemas;
  }

  get types(): FieldTypes {
    return this.#current().types;
  }

  /** The environments of a policy, one for each kind that it matches. */
  environments(policy: PolicyView): readonly KindEnvironment[] {
    const { schemas, types } = this.#current();
    const known =
      this.#environments.get(policy) ??
      environmentsOf(policy, { schemas, types, dialect: this.dialectOf(policy) });
    this.#environments.set(policy, known);
    return known;
  }

  #current(): { readonly schemas: Schemas; readonly types: FieldTypes } {
    const { schemas } = this.workspace;
    if (this.#made?.schemas !== schemas) {
      const types = new FieldTypes(schemas, {
        suites: () => this.#loaded?.suites,
        kyverno: () => this.#kyverno,
      });
      this.#made = { schemas, types };
      this.#environments = new WeakMap();
    }
    return this.#made;
  }
}
