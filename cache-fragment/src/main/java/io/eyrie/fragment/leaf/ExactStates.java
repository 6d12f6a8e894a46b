// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.type.BigintType;
import com.facebook.presto.common.type.BooleanType;
import com.facebook.presto.common.type.CharType;
import com.facebook.presto.common.type.DateType;
import com.facebook.presto.common.type.DecimalType;
import com.facebook.presto.common.type.IntegerType;
import com.facebook.presto.common.type.SmallintType;
import com.facebook.presto.common.type.StandardTypes;
import com.facebook.presto.common.type.TimestampType;
import com.facebook.presto.common.type.TinyintType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.VarbinaryType;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.CallExpression;

import java.util.List;

/** Which partial aggregates can be merged, so that the state of a group does not depend on how its rows were grouped before (decision 0044). */
public final class ExactStates
{
    private static final List<Class<? extends Type>> EXACT = List.of(BooleanType.class, TinyintType.class, SmallintType.class, IntegerType.class,
            BigintType.class, DateType.class, TimestampType.class, DecimalType.class, VarcharType.class, CharType.class, VarbinaryType.class);
    // 10^18 times any number of rows is below 2^127, where the engine's sums overflow
    private static final int MAX_SAFE_PRECISION = 18;
    private static final int MAX_PRECISION = 38;

    private ExactStates()
    {}

    /** Whether equal values of a type are the same value, for each function. Zeros, NaNs and times of different zones are not. */
    public static boolean isExact(Type type)
    {
        return EXACT.stream().anyMatch(exact -> exact.isInstance(type));
    }

    /**
     * Returns of how many rows states of an aggregate can be merged; 0 if the merged state may differ from the state of all rows.
     */
    public static long mostRows(FunctionMetadataManager functions, CallExpression call)
    {
        return mostRows(name(functions, call), call);
    }

    /** Whether an aggregate of all rows of a group may depend on the order of the rows. Minima and maxima of any type do not: equal ones count as one value. */
    static boolean dependsOnOrder(FunctionMetadataManager functions, CallExpression call)
    {
        String name = name(functions, call);
        boolean isExtreme = (name.equals("min") || name.equals("max")) && call.getArguments().size() == 1;
        return !isExtreme && mostRows(name, call) == 0;
    }

    /**
     * Whether an aggregate draws random numbers, so that each computation has another value: sketches that drop values, and digests whose merges shuffle. The
     * others that do so are refused everywhere.
     */
    static boolean drawsRandomNumbers(FunctionMetadataManager functions, CallExpression call)
    {
        return switch (name(functions, call)) {
            case "sketch_kll", "sketch_kll_with_k", "tdigest_agg" -> true;
            case "merge" -> call.getArguments().get(0).getType().getTypeSignature().getBase().equals(StandardTypes.TDIGEST);
            default -> false;
        };
    }

    private static String name(FunctionMetadataManager functions, CallExpression call)
    {
        return functions.getFunctionMetadata(call.getFunctionHandle()).getName().getObjectName();
    }

    private static long mostRows(String name, CallExpression call)
    {
        Type type = call.getArguments().isEmpty() ? BooleanType.BOOLEAN : call.getArguments().get(0).getType();
        return switch (name) {
            case "count", "count_if", "bool_and", "bool_or", "every", "bitwise_and_agg", "bitwise_or_agg", "checksum" -> Long.MAX_VALUE;
            case "min", "max" -> call.getArguments().size() == 1 && isExact(type) ? Long.MAX_VALUE : 0;
            case "sum" -> type instanceof BigintType ? Long.MAX_VALUE : type instanceof DecimalType decimal ? mostRows(decimal) : 0;
            case "avg" -> type instanceof DecimalType decimal ? mostRows(decimal) : 0;
            default -> 0;
        };
    }

    /* As long as no sum of absolute values reaches 10^38, no order of additions overflows. */
    private static long mostRows(DecimalType decimal)
    {
        int precision = decimal.getPrecision();
        return precision <= MAX_SAFE_PRECISION ? Long.MAX_VALUE : (long) Math.pow(10, Math.min(MAX_SAFE_PRECISION, MAX_PRECISION - precision)) - 1;
    }
}
