// What the packages of kubeadmit share and users rarely need; it may change with every version.

// Addresses and URLs as Go reads them

