import { float64Numbers, type JsonNumbers } from '../../json/json-reader.ts';
import { yamlJson } from '../yaml-json.ts';
import { BrokenYaml, type YamlSource } from './characters.ts';
import { composeYaml } from './compose.ts';
import { YamlDecoder } from './decode.ts';

/** A parsed YAML document, or the error of Go's YAML library. */
export type YamlReading =
  | {
      readonly value: unknown;
      /** Findings of a strict reader: repeated keys of mappings, each with its line. */
      readonly findings: readonly string[];
    }
  | { readonly error: string };

/**
 * Reads the first document of a YAML text as the JSON value that `YAMLToJSON` of sigs.k8s.io/yaml makes of it: yaml.v2
 * with YAML 1.1's words and numbers, `010` for 8, the last of equal keys, and keys as strings.
 */
export function readYaml(
  source: YamlSource,
  { numbers = float64Numbers }: { readonly numbers?: JsonNumbers } = {},
): YamlReading {
  try {
    const root = composeYaml(source);
    if (root === undefined) return { value: null, findings: [] };
    const decoder = new YamlDecoder();
    const json = yamlJson(decoder.decode(root), numbers.parse);
    return 'error' in json ? json : { ...json, findings: decoder.findings };
  } catch (error) {
    if (error instanceof BrokenYaml) return { error: errorText(error) };
    throw error;
  }
}

/** Where yaml.v2's parser refuses the first document of a text, and why. */
export interface YamlProblem {
  readonly problem: string;
  /** An index of UTF-16 code units. */
  readonly offset: number;
}

/** Returns the problem that yaml.v2's parser finds in the first document of a text, or `undefined`. */
export function findYamlProblem(text: string): YamlProblem | undefined {
  try {
    composeYaml(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof BrokenYaml)) throw error;
    const { problem, offset } = error;
    return { problem, offset };
  }
}

function errorText({ problem, line }: BrokenYaml): string {
  return line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`;
}
