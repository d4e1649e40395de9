/** What the file is called that says how the program is used in a repository. */
export const configurationFile = 'kubeadmit.yaml';
