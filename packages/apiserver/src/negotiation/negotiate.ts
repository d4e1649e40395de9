import type { Codec } from '../encoding/codec.ts';
import { notAccepted, notRepresentable } from '../errors/failures.ts';
import { type AcceptClause, parseAccept } from './accept.ts';

/** The form in which a client wants objects, other than their own. */
export interface ObjectForm {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** `v1` or `v1beta1` of `meta.k8s.io`. */
  readonly version: string;
}

/** The negotiated form of an answer. */
export interface Negotiated {
  readonly mediaType: string;
  readonly form?: ObjectForm | undefined;
  readonly isPretty: boolean;
}

/** The inputs of a negotiation. */
export interface NegotiationOptions {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly pretty: string | null;
  readonly codecs: readonly Codec[];
  /** Custom resources and discovery do without the router's own negotiation. */
  readonly isBuiltin: boolean;
  /** Which forms other than their own the objects can be given in. */
  readonly allowsForms: boolean;
  /** Whether the path can be watched, which the router takes for all of its verbs. */
  readonly isWatchable?: boolean | undefined;
}

const json = 'application/json';
const yaml = 'application/yaml';

/** Finds the media type and form of an answer (apiserver negotiation.NegotiateOutputMediaType). */
export function negotiate(options: NegotiationOptions): Negotiated {
  const available = mediaTypes(options);
  const clauses = routableClauses(options, options.isWatchable === true);
  if (clauses.length === 0) return { mediaType: json, isPretty: isPretty(options) };
  for (const clause of clauses) {
    const mediaType = available.find(
      (known) => matches(clause, known) && (options.isBuiltin || !isCodec(options, known)),
    );
    if (mediaType === undefined) continue;
    const form = formOf(clause, options.allowsForms);
    if (form === 'refused' || (form?.kind === 'Table' && isCodec(options, mediaType))) continue;
    return { mediaType, form, isPretty: isPretty(options, clause) };
  }
  throw notAccepted(available);
}

/** Finds the media type of a watch (apiserver negotiation.NegotiateMediaTypeStream). */
export function negotiateStream(options: NegotiationOptions): Negotiated {
  const streams: readonly (readonly [string, string])[] = [
    [json, json],
    ...options.codecs.map(({ mediaType, streamMediaType }): [string, string] => [
      mediaType,
      streamMediaType,
    ]),
  ];
  const clauses = routableClauses(options, true);
  if (clauses.length === 0) return { mediaType: json, isPretty: false };
  for (const clause of clauses) {
    const found = streams.find(
      ([mediaType]) => matches(clause, mediaType) && (options.isBuiltin || mediaType === json),
    );
    if (found === undefined) continue;
    const form = formOf(clause, options.allowsForms);
    if (form === 'refused') continue;
    return { mediaType: found[1], form, isPretty: false };
  }
  throw notAccepted(streams.map(([mediaType]) => `${mediaType};stream=watch`));
}

function mediaTypes({ codecs }: NegotiationOptions): readonly string[] {
  return [json, yaml, ...codecs.map(({ mediaType }) => mediaType)];
}

// Returns the clauses that a client accepts, or throws the router's 406, which only built-in kinds have.
function routableClauses(
  options: NegotiationOptions,
  isWatchable: boolean,
): readonly AcceptClause[] {
  const available = mediaTypes(options);
  const clauses = parseAccept(options.accept ?? '');
  const isRouted = !options.isBuiltin || clauses.some((clause) => isRoutable(clause, available));
  if (clauses.length === 0 || isRouted) return clauses;
  throw notRepresentable([...available, ...(isWatchable ? streamTypes(options) : [])]);
}

// Custom resources and discovery use the formats that every object supports.
function isCodec({ codecs }: NegotiationOptions, mediaType: string): boolean {
  return codecs.some((codec) => codec.mediaType === mediaType);
}

function streamTypes({ codecs }: NegotiationOptions): readonly string[] {
  return [`${json};stream=watch`, ...codecs.map(({ streamMediaType }) => streamMediaType)];
}

function matches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  const [ownType, ownSubtype] = mediaType.split('/');
  return (
    (type === '*' && subtype === '*') ||
    (type === ownType && (subtype === '*' || subtype === ownSubtype))
  );
}

// The router knows no ranges but the one of everything.
function isRoutable({ type, subtype }: AcceptClause, available: readonly string[]): boolean {
  return type === '*' || available.includes(`${type}/${subtype}`);
}

function formOf(
  { parameters }: AcceptClause,
  allowsForms: boolean,
): ObjectForm | undefined | 'refused' {
  const { as, g, v } = parameters;
  if (as === undefined && g === undefined && v === undefined) return undefined;
  const isKnown =
    as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';
  if (!allowsForms || !isKnown || g !== 'meta.k8s.io' || (v !== 'v1' && v !== 'v1beta1')) {
    return 'refused';
  }
  return { kind: as, version: v };
}

function isPretty({ pretty, userAgent }: NegotiationOptions, clause?: AcceptClause): boolean {
  const asked = pretty ?? clause?.parameters['pretty'] ?? null;
  if (asked !== null) return asked !== '0' && asked.toLowerCase() !== 'false';
  return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? '');
}
