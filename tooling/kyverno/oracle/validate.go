package main

import (
	"encoding/json"

	policyvalidation "github.com/kyverno/kyverno/pkg/validation/policy"
)

type validateCase struct {
	Policy json.RawMessage `json:"policy"`
}

type validateAnswer struct {
	Warnings []string `json:"warnings,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// runValidate says of a policy what Kyverno's webhook says without a cluster.
func runValidate(in validateCase) any {
	policy, err := policyOf(in.Policy)
	if err != nil {
		return validateAnswer{Error: err.Error()}
	}
	warnings, err := policyvalidation.Validate(policy, nil, nil, true, "background", "reports")
	if err != nil {
		return validateAnswer{Warnings: warnings, Error: err.Error()}
	}
	return validateAnswer{Warnings: warnings}
}
