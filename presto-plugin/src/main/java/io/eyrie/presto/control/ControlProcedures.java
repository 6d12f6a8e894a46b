// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.spi.procedure.Procedure;
import com.facebook.presto.spi.procedure.Procedure.Argument;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.presto.control.ControlState.Rule;
import io.eyrie.presto.control.ControlState.Target;
import org.jspecify.annotations.Nullable;

import javax.inject.Inject;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import static com.facebook.presto.common.type.StandardTypes.VARCHAR;
import static com.facebook.presto.spi.StandardErrorCode.GENERIC_USER_ERROR;
import static com.facebook.presto.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static java.util.Objects.requireNonNull;

/**
 * The procedures of the schema {@code system} with which operators control the caches. The connector's access control decides which users may call each: those
 * who may set the catalog's session property that is named like the procedure.
 */
public final class ControlProcedures
{
    private static final Logger log = Logger.get(ControlProcedures.class);
    private static final String SCHEMA = "system";
    private static final Duration LONGEST_TRACE = new Duration(1, TimeUnit.DAYS);
    private static final Argument SCHEMA_NAME = new Argument("schema_name", VARCHAR, false, null);
    private static final Argument TABLE_NAME = new Argument("table_name", VARCHAR, false, null);
    private static final Argument PARTITION_NAME = new Argument("partition_name", VARCHAR, false, null);

    private final Control control;
    private final OperatorRights rights;
    private final ExistingNames names;
    private final NodeLimits limits;

    @Inject
    public ControlProcedures(Control control, OperatorRights rights, ExistingNames names, NodeLimits limits)
    {
        this.names = requireNonNull(names, "names is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.control = requireNonNull(control, "control is null");
        this.rights = requireNonNull(rights, "rights is null");
    }

    /** Returns all procedures. */
    public Set<Procedure> all()
    {
        return Set.of(
                procedure("invalidate_cache", "invalidate", SCHEMA_NAME, TABLE_NAME, PARTITION_NAME),
                procedure("pin_in_cache", "pin", new Argument("schema_name", VARCHAR), TABLE_NAME, PARTITION_NAME),
                procedure("unpin_in_cache", "unpin", SCHEMA_NAME, TABLE_NAME, PARTITION_NAME),
                procedure("allow_in_cache", "allow", new Argument("schema_name", VARCHAR), new Argument("table_name", VARCHAR)),
                procedure("deny_in_cache", "deny", new Argument("schema_name", VARCHAR), new Argument("table_name", VARCHAR)),
                procedure("forget_cache_rule", "forgetRule", new Argument("schema_name", VARCHAR), new Argument("table_name", VARCHAR)),
                procedure("set_cache_quota", "setQuota", new Argument("schema_name", VARCHAR), TABLE_NAME, PARTITION_NAME,
                        new Argument("quota", VARCHAR, false, null)),
                procedure("resize_cache", "resize", new Argument("capacity", VARCHAR, false, null)),
                procedure("record_cache_trace", "recordTrace", new Argument("duration", VARCHAR, false, null)));
    }

    private Procedure procedure(String name, String method, Argument... arguments)
    {
        Class<?>[] types = new Class<?>[arguments.length + 1];
        Arrays.fill(types, String.class);
        types[0] = ConnectorSession.class;
        try {
            MethodHandle handle = MethodHandles.lookup().findVirtual(ControlProcedures.class, method, MethodType.methodType(void.class, types));
            return new Procedure(SCHEMA, name, List.of(arguments), handle.bindTo(this));
        }
        catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /**
     * Drops everything, a schema, a table or a partition from all layers of all nodes; the next query loads it again. Accepts dropped tables, and any while the
     * metastore fails, that the coordinator has seen files of.
     */
    public void invalidate(ConnectorSession session, @Nullable String schema, @Nullable String table, @Nullable String partition)
    {
        Target target = target(schema, table, partition);
        change(session, "invalidate_cache", target, () -> names.checkSeen(session, target), state -> state.invalidated(target));
    }

    /** Pins a schema, a table or a partition: from now on, its cached data is not evicted to make room for other data. */
    public void pin(ConnectorSession session, String schema, @Nullable String table, @Nullable String partition)
    {
        Target target = target(schema, table, partition);
        change(session, "pin_in_cache", target, () -> names.check(session, target), state -> state.pinned(target));
    }

    /** Removes the pins of everything, a schema, a table or a partition, and of their parts. */
    public void unpin(ConnectorSession session, @Nullable String schema, @Nullable String table, @Nullable String partition)
    {
        Target target = target(schema, table, partition);
        change(session, "unpin_in_cache", target, ControlProcedures::checkNothing, state -> schema == null
                ? state.unpinned(target)
                : state.unpinned(target).removing("pin of '" + target.text() + "'", state.pins(), ControlState::pins));
    }

    /** Caches tables regardless of {@code cache.admission.allow} and {@code deny}; {@code *} in a name matches any characters. */
    public void allow(ConnectorSession session, String schema, String table)
    {
        Rule rule = rule(true, schema, table);
        change(session, "allow_in_cache", rule, () -> check(session, rule), state -> state.ruled(rule));
    }

    /** Caches no more data of tables. Cached data is served until it is evicted. */
    public void deny(ConnectorSession session, String schema, String table)
    {
        Rule rule = rule(false, schema, table);
        change(session, "deny_in_cache", rule, () -> check(session, rule), state -> state.ruled(rule));
    }

    /** Removes the rule for these names. */
    public void forgetRule(ConnectorSession session, String schema, String table)
    {
        Rule rule = rule(false, schema, table);
        change(session, "forget_cache_rule", rule.text(), ControlProcedures::checkNothing, state -> state.unruled(rule.schema(), rule.table())
                .removing("rule for '" + rule.text() + "'", state.rules(), ControlState::rules));
    }

    /** Limits the bytes of a schema, a table or a partition on each node; without a quota, the configured one applies. */
    public void setQuota(ConnectorSession session, String schema, @Nullable String table, @Nullable String partition, @Nullable String quota)
    {
        Target target = target(schema, table, partition);
        Long bytes = bytes("quota", quota, 0);
        if (bytes == null) {
            change(session, "set_cache_quota", target, ControlProcedures::checkNothing, state -> state.bounded(target, null)
                    .removing("quota of '" + target.text() + "'", state.quotas(), ControlState::quotas));
        }
        else {
            change(session, "set_cache_quota", target + " " + quota, () -> names.check(session, target), state -> state.bounded(target, bytes));
        }
    }

    /** Changes each node's capacity; without a capacity, the configured one applies. */
    public void resize(ConnectorSession session, @Nullable String capacity)
    {
        Long bytes = bytes("capacity", capacity, 1 << 20);
        Runnable check = bytes == null ? ControlProcedures::checkNothing : () -> limits.checkCapacity(session, bytes);
        change(session, "resize_cache", String.valueOf(capacity), check, state -> state.resized(bytes));
    }

    /** Records each node's lookups from its next split on, for the duration; without one, ends the recording. */
    public void recordTrace(ConnectorSession session, @Nullable String duration)
    {
        long millis = duration == null ? 0 : millis(duration);
        Runnable check = millis == 0 ? ControlProcedures::checkNothing : limits::checkTrace;
        change(session, "record_cache_trace", String.valueOf(duration), check, state -> state.recording(millis == 0 ? 0 : state.epoch() + millis));
    }

    private static long millis(String duration)
    {
        try {
            long millis = Duration.valueOf(duration).toMillis();
            if (millis > 0 && millis <= LONGEST_TRACE.toMillis()) {
                return millis;
            }
        }
        catch (IllegalArgumentException e) {
            // reported below
        }
        throw invalid("duration is '" + duration + "': specify up to " + LONGEST_TRACE + ", such as 10m, or omit it to end the recording");
    }

    private static void checkNothing()
    {}

    /* A name with * may match tables that do not exist yet. */
    private void check(ConnectorSession session, Rule rule)
    {
        if (!rule.schema().contains("*")) {
            names.check(session, new Target(rule.schema(), rule.table().contains("*") ? "" : rule.table(), ""));
        }
    }

    /** Returns the named part of the catalog; throws if a name is blank, or is given without those of the parts that contain it. */
    public static Target target(@Nullable String schema, @Nullable String table, @Nullable String partition)
    {
        for (String name : Arrays.asList(schema, table, partition)) {
            if (name != null && name.isBlank()) {
                throw invalid("A name is '" + name + "': specify one, or omit the argument");
            }
        }
        if (schema == null && table != null) {
            throw invalid("table_name is '" + table + "' and schema_name is missing: specify the table's schema, too");
        }
        if (table == null && partition != null) {
            throw invalid("partition_name is '" + partition + "' and table_name is missing: specify the partition's table, too");
        }
        if (partition != null && !partition.contains("=")) {
            throw invalid("partition_name is '" + partition
                    + "': write it as in SHOW PARTITIONS and in the table's directories, such as ds=2021-01-01/hour=3");
        }
        return new Target(name(schema), name(table), partition == null ? "" : partition);
    }

    private static Rule rule(boolean allowed, String schema, String table)
    {
        if (schema.isBlank() || table.isBlank() || schema.contains(".") || table.contains(".")) {
            throw invalid("'" + schema + "' and '" + table + "' do not match any table: specify a schema and a table; * matches any characters");
        }
        return new Rule(allowed, name(schema), name(table));
    }

    private static String name(@Nullable String name)
    {
        return name == null ? "" : name.toLowerCase(Locale.ENGLISH);
    }

    private static @Nullable Long bytes(String argument, @Nullable String size, long least)
    {
        if (size == null) {
            return null;
        }
        long bytes;
        try {
            bytes = DataSize.valueOf(size).toBytes();
        }
        catch (IllegalArgumentException | IllegalStateException e) {
            throw invalid(argument + " is '" + size + "': specify a size such as 500MB or 1.5TB, or omit it to use the configured one");
        }
        if (bytes < least) {
            throw invalid(argument + " is '" + size + "': the minimum is " + DataSize.succinctBytes(least));
        }
        return bytes;
    }

    private static PrestoException invalid(String message)
    {
        return new PrestoException(INVALID_PROCEDURE_ARGUMENT, message);
    }

    @SuppressWarnings("try") // the resource is the thread's class loader
    private void change(ConnectorSession session, String procedure, Object what, Runnable check, UnaryOperator<ControlState> change)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(ControlProcedures.class.getClassLoader())) {
            rights.checkMayCall(session, procedure);
            check.run();
            ControlState changed = control.change(state -> change.apply(state).growingWithinBounds(state));
            log.info("User %s called system.%s with %s in query %s: epoch %s", session.getUser(), procedure, what, session.getQueryId(), changed
                    .epoch());
        }
        catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
        catch (IOException e) {
            throw new PrestoException(
                    GENERIC_USER_ERROR,
                    "The change of system." + procedure + " could not be stored: " + e.getMessage()
                            + ". Set cache.control-directory in the coordinator's catalog file to a directory that the coordinator may write to",
                    e);
        }
    }
}
