// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.common.Subfield;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveTransactionManager;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.function.table.AbstractConnectorTableFunction;
import com.facebook.presto.spi.function.table.Argument;
import com.facebook.presto.spi.function.table.ArgumentSpecification;
import com.facebook.presto.spi.function.table.Descriptor;
import com.facebook.presto.spi.function.table.ReturnTypeSpecification.GenericTable;
import com.facebook.presto.spi.function.table.ScalarArgument;
import com.facebook.presto.spi.function.table.ScalarArgumentSpecification;
import com.facebook.presto.spi.function.table.TableFunctionAnalysis;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.airlift.units.DataSize;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.control.ExistingNames;
import io.eyrie.presto.control.OperatorRights;
import io.eyrie.presto.handle.WarmRequest;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static com.facebook.presto.spi.StandardErrorCode.NOT_FOUND;
import static com.facebook.presto.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * The table function {@code system.warm_cache}: loads a table, or those of its partitions that the query selects, into the caches of the workers on which its
 * splits are placed, and returns a row for each split. Thread-safe.
 */
public final class WarmFunction
        extends AbstractConnectorTableFunction
{
    private static final Logger log = Logger.get(WarmFunction.class);
    private static final String NAME = "warm_cache";
    private static final String SCHEMA_NAME = "SCHEMA_NAME";
    private static final String TABLE_NAME = "TABLE_NAME";
    private static final String WHAT = "WHAT";
    private static final String MAX_SIZE = "MAX_SIZE";
    private static final Slice DATA = Slices.utf8Slice("data");
    private static final Slice FOOTERS = Slices.utf8Slice("footers");

    private final HiveTransactionManager transactions;
    private final OperatorRights rights;
    private final ExistingNames names;
    private final TypeManager types;
    private final boolean enabled;

    @Inject
    public WarmFunction(HiveTransactionManager transactions, OperatorRights rights, ExistingNames names, TypeManager types, EyrieCacheConfig config)
    {
        super(
                "system",
                NAME,
                List.of(argument(SCHEMA_NAME), argument(TABLE_NAME), argument(WHAT, DATA), argument(MAX_SIZE, null)),
                GenericTable.GENERIC_TABLE);
        this.transactions = requireNonNull(transactions, "transactions is null");
        this.rights = requireNonNull(rights, "rights is null");
        this.names = requireNonNull(names, "names is null");
        this.types = requireNonNull(types, "types is null");
        enabled = config.isEnabled();
    }

    private static ArgumentSpecification argument(String name)
    {
        return ScalarArgumentSpecification.builder().name(name).type(VARCHAR).build();
    }

    private static ArgumentSpecification argument(String name, @Nullable Slice defaultValue)
    {
        return ScalarArgumentSpecification.builder().name(name).type(VARCHAR).defaultValue(defaultValue).build();
    }

    @Override
    @SuppressWarnings("try") // the resource is the thread's class loader
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(WarmFunction.class.getClassLoader())) {
            SchemaTableName table = new SchemaTableName(required(arguments, SCHEMA_NAME), required(arguments, TABLE_NAME));
            WarmRequest warming = warming(arguments);
            rights.checkMayCall(session, NAME);
            if (!enabled) {
                throw new PrestoException(NOT_SUPPORTED, "Nothing can be warmed, because this catalog does not cache data: set cache.enabled=true");
            }
            ConnectorMetadata metadata = transactions.get(transaction);
            names.check(session, table);
            if (metadata.getTableHandle(session, table) == null) {
                throw new PrestoException(NOT_FOUND, "Table '" + table + "' does not exist");
            }
            WarmTableHandle handle = new WarmTableHandle(table.getSchemaName(), table.getTableName(), warming);
            List<HiveColumnHandle> keys = metadata.getColumnHandles(session, handle).values().stream().map(HiveColumnHandle.class::cast).filter(
                    HiveColumnHandle::isPartitionKey).toList();
            rights.checkMayRead(session, transaction, table, keys.stream().map(key -> new Subfield(key.getName())).toList());
            log.info("User %s warms %s (%s) in query %s", session.getUser(), table, warming, session.getQueryId());
            return analysis(handle, keys);
        }
    }

    private TableFunctionAnalysis analysis(WarmTableHandle table, List<HiveColumnHandle> keys)
    {
        List<ColumnHandle> columns = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Type> columnTypes = new ArrayList<>();
        for (HiveColumnHandle key : keys) {
            columns.add(key);
            names.add(key.getName());
            columnTypes.add(types.getType(key.getTypeSignature()));
        }
        List<String> keyNames = List.copyOf(names);
        for (WarmColumn column : WarmColumn.values()) {
            columns.add(column.handle());
            names.add(column.resultName(keyNames));
            columnTypes.add(column.type());
        }
        return TableFunctionAnalysis.builder().returnedType(Descriptor.descriptor(names, columnTypes)).handle(new WarmHandle(table, columns)).build();
    }

    private static WarmRequest warming(Map<String, Argument> arguments)
    {
        String what = required(arguments, WHAT).toLowerCase(Locale.ENGLISH);
        String maxSize = value(arguments, MAX_SIZE);
        if (what.equals(FOOTERS.toStringUtf8())) {
            if (maxSize != null) {
                throw invalid("max_size is '" + maxSize + "', but it limits bytes of data: omit it with what => 'footers'");
            }
            return new WarmRequest(false, Long.MAX_VALUE);
        }
        if (!what.equals(DATA.toStringUtf8())) {
            throw invalid("what is '" + what + "': specify 'data', which loads data and footers, or 'footers'");
        }
        try {
            return new WarmRequest(true, maxSize == null ? Long.MAX_VALUE : DataSize.valueOf(maxSize).toBytes());
        }
        catch (IllegalArgumentException | IllegalStateException e) {
            throw invalid("max_size is '" + maxSize + "': specify a size such as 500MB or 1.5TB, or omit it to warm everything");
        }
    }

    private static String required(Map<String, Argument> arguments, String name)
    {
        String value = value(arguments, name);
        if (value == null || value.isBlank()) {
            throw invalid(name.toLowerCase(Locale.ENGLISH) + " is missing");
        }
        return value;
    }

    private static @Nullable String value(Map<String, Argument> arguments, String name)
    {
        Object value = ((ScalarArgument) requireNonNull(arguments.get(name), name)).getValue();
        return value == null ? null : ((Slice) value).toStringUtf8();
    }

    private static PrestoException invalid(String message)
    {
        return new PrestoException(INVALID_FUNCTION_ARGUMENT, message);
    }
}
