/**
 * The descriptions of functions that exist only in Kyverno's policies; member functions are listed with their
 * receivers.
 */
export const kyvernoFunctionWords: Readonly<Record<string, string>> = {
  'resource.get':
    'One object of the cluster, or null: `resource.get("v1", "configmaps", "default", "limits")`. Policies of a namespace leave the namespace out.',
  'resource.list':
    'The objects of a resource as `items`, of a namespace, with labels: `resource.list("v1", "pods", "default").items`.',
  'resource.post': 'Creates an object and gives what the cluster made of it.',
  'resource.toGVR': 'The resource of a kind: `resource.toGVR("apps/v1", "Deployment")`.',
  'http.get': 'What a service answers, read as JSON; with headers as a second argument.',
  'http.post': 'Sends a value as JSON to a service, and gives what it answers.',
  'http.client': 'A client that trusts the certificates of a bundle in PEM.',
  'globalContext.get':
    'An entry of the global context, or a projection of it: `globalContext.get("deployments", "names")`.',
  'image.getMetadata':
    'What a registry says of an image: `image.getMetadata("nginx:1.27").config`.',
  'json.unmarshal': 'Reads JSON: `json.unmarshal("[1]")[0]`.',
  'json.marshal': 'Writes a value as JSON.',
  'yaml.parse': 'Reads YAML: `yaml.parse("a: 1").a`.',
  'gzip.decompress': 'Unpacks what gzip packed, as a text.',
  'gzip.compress': 'Packs a value by gzip.',
  'x509.decode':
    'Reads a certificate in PEM, or a request to sign one: `x509.decode(text).NotAfter`.',
  'time.now': 'The time at which the policy is evaluated.',
  'time.toCron': 'A time as a schedule of cron: minute, hour, day and month.',
  'time.truncate': 'A time, rounded down to a multiple of a duration.',
  parseServiceAccount:
    'The `Name` and `Namespace` of the service account that a user name is for; empty for other users.',
  'user.parseServiceAccount':
    'The `Name` and `Namespace` of the service account that a user name is for; empty for other users.',
  sha1: 'The SHA-1 of a text in hexadecimal digits.',
  sha256: 'The SHA-256 of a text in hexadecimal digits.',
  md5: 'The MD5 of a text in hexadecimal digits.',
  'hash.sha1': 'The SHA-1 of a text in hexadecimal digits.',
  'hash.sha256': 'The SHA-256 of a text in hexadecimal digits.',
  'hash.md5': 'The MD5 of a text in hexadecimal digits.',
  'math.round': 'A number rounded to some digits: `math.round(2.346, 2)` is 2.35.',
  'math.greatest': 'The greatest of numbers, or of a list of them.',
  'math.least': 'The least of numbers, or of a list of them.',
  'math.abs': 'The number without its sign.',
  'math.sign': '-1, 0 or 1: the sign of a number.',
  'math.sqrt': 'The square root.',
  'math.ceil': 'The next integer above.',
  'math.floor': 'The next integer below.',
  'math.trunc': 'The number without its fraction.',
  'math.isNaN': 'Whether a number is none.',
  'math.isInf': 'Whether a number is infinite.',
  'math.isFinite': 'Whether a number is neither infinite nor none.',
  'math.bitAnd': 'The bits that both integers have.',
  'math.bitOr': 'The bits that one of the integers has.',
  'math.bitXor': 'The bits that exactly one of the integers has.',
  'math.bitNot': 'The bits that the integer does not have.',
  'math.bitShiftLeft': 'The bits moved up by some places.',
  'math.bitShiftRight': 'The bits moved down by some places.',
  'regex.replace':
    'Replaces what a regular expression matches, or the first few: `regex.replace("a1", "[0-9]", "x")`.',
  'regex.extract':
    'What the group of a regular expression matches first, as an optional value: `regex.extract("id:42", "id:([0-9]+)")`.',
  'regex.extractAll': 'All that the group of a regular expression matches, as a list.',
  random: 'A random text that a regular expression fits: `random("[a-z]{4}")`.',
  'random.random': 'A random text that a regular expression fits.',
  listObjToMap:
    'A map of two lists of objects: keys are a field of those of the first, values one of those of the second.',
  'transform.listObjToMap':
    'A map of two lists of objects: keys are a field of those of the first, values one of those of the second.',
  parseImageReference: 'Reads the name of an image: `parseImageReference("nginx").tag()`.',
  image: 'Reads the name of an image: `image("nginx").registry()`.',
  isImage: 'Whether a text is the name of an image.',
  registry: 'The registry of an image: `index.docker.io` where none is named.',
  repository: 'The repository of an image: `library/nginx`.',
  tag: 'The tag of an image; `latest` where neither tag nor digest are named.',
  digest: 'The digest of an image; empty where none is named.',
  identifier: 'The tag of an image, with its digest if it has one.',
  identifierWithSeparator: 'The digest with `@`, or the tag with `:`.',
  containsDigest: 'Whether the name of an image has a digest.',
  'base64.encode': 'Bytes in base64.',
  'base64.decode': 'Reads base64 as bytes.',
  'json.encode': 'Writes a value as JSON.',
  orValue: 'What an optional value holds, or the argument; other values are given as they are.',
  'cel.bind': 'Gives a name to a value for one expression: `cel.bind(c, object.spec, c.x && c.y)`.',
};
