// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;

import java.util.List;

/** Admits tables that a pattern allows and none denies. Operators' rules at run time take precedence. Without patterns that allow, every table is allowed. */
final class TableRules
        implements AdmissionPolicy
{
    private final List<TablePattern> allow;
    private final List<TablePattern> deny;
    private volatile List<Steering> steering = List.of();

    TableRules(List<TablePattern> allow, List<TablePattern> deny)
    {
        this.allow = List.copyOf(allow);
        this.deny = List.copyOf(deny);
    }

    @Override
    public Admission admit(PageKey page, Scope scope, long bytes, WriteBudget budget)
    {
        return mayAdmit(scope) ? Admission.ADMITTED : Admission.DENIED_BY_RULE;
    }

    @Override
    public boolean mayAdmit(Scope scope)
    {
        for (Steering steered : steering) {
            for (Steering.CachingRule rule : steered.rules()) {
                if (rule.tables().matches(scope)) {
                    return rule.allowed();
                }
            }
        }
        boolean allowed = allow.isEmpty() || matches(allow, scope);
        return allowed && !matches(deny, scope);
    }

    @Override
    public void steer(List<Steering> newSteering)
    {
        steering = List.copyOf(newSteering);
    }

    private static boolean matches(List<TablePattern> patterns, Scope scope)
    {
        for (TablePattern pattern : patterns) {
            if (pattern.matches(scope)) {
                return true;
            }
        }
        return false;
    }
}
