const lists = ['text', 'json', 'ndjson', 'yaml', 'sarif', 'github', 'gitlab', 'markdown'] as const;

/** The formats of `lint`, whose issues are not tests. */
export const lintFormats: readonly string[] = lists;

/** The formats of `test`. */
export const testFormats: readonly string[] = [...lists, 'junit', 'tap'];

/** The formats of `check`; `cases` are its requests for `kubeadmit machine admit -`. */
export const checkFormats: readonly string[] = [...lists, 'junit', 'tap', 'policyreport', 'cases'];
