package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;

import java.util.List;

/** Keeps what a pattern allows and none denies. Without patterns that allow, every table is allowed. */
final class TableRules
        implements AdmissionPolicy
{
    private final List<TablePattern> allow;
    private final List<TablePattern> deny;

    TableRules(List<TablePattern> allow, List<TablePattern> deny)
    {
        this.allow = List.copyOf(allow);
        this.deny = List.copyOf(deny);
    }

    @Override
    public Admission admit(PageKey page, Scope scope, long bytes, WriteBudget budget)
    {
        boolean allowed = allow.isEmpty() || matches(allow, scope);
        return allowed && !matches(deny, scope) ? Admission.ADMITTED : Admission.DENIED_BY_RULE;
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
